package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import java.util.List;
import java.util.Optional;

/**
 * What admission reads while it decides: namespaces, priority classes, services, the webhook configurations. Asked on
 * every write, so it hands out the stored trees themselves: they are only read.
 */
public interface Lookup {
    Optional<ObjectNode> find(Resource resource, String namespace, String name);

    /** All objects of a resource, in every namespace, in the order of their names. */
    List<ObjectNode> all(Resource resource);
}
