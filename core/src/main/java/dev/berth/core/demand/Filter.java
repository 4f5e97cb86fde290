package dev.berth.core.demand;

import dev.berth.core.Device;
import java.util.Optional;
import java.util.Set;

/**
 * Which devices a choice wants. Pure: the same device gets the same answer. Two filters that are equal answer alike, so
 * that what was found out for one demand serves the next.
 */
@FunctionalInterface
public interface Filter {
    /** Every device passes. */
    Filter EVERY = device -> Optional.empty();

    /** Why the device does not suit, in a few words that follow "it": nothing when it suits. */
    Optional<String> refuses(Device device);

    /**
     * The attributes that the answer depends on, where it depends on nothing else. The engine then asks once for all
     * devices that agree in them.
     */
    default Optional<Set<String>> reads() {
        return Optional.empty();
    }
}
