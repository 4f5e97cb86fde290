package dev.berth.claims.demand;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.DevicePrivilegedClaim;
import java.util.Optional;

/** The objects that claims name: in files, or on a server. */
public interface Lookup {
    Optional<DeviceClaim> claim(String namespace, String name);

    Optional<DevicePrivilegedClaim> privilegedClaim(String namespace, String name);

    Optional<DevicePool> pool(String name);

    /** A settings object; the namespace is empty for one that has none. */
    Optional<JsonNode> config(ConfigReference reference, String namespace);
}
