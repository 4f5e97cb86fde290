package dev.berth.apiserver.kinds;

import java.util.List;
import java.util.Optional;

/** All that is served at this moment; custom resource definitions add to it while the server runs. */
public interface Catalog {
    Optional<ResourceType> byPath(String group, String version, String plural);

    Optional<ResourceType> byKind(String apiVersion, String kind);

    /** In the order of discovery: by group priority, then version, then plural. */
    List<ResourceType> all();
}
