package dev.berth.core.move;

import java.util.Optional;

/**
 * A pod that has its place.
 *
 * @param stays why it cannot be moved; empty for one that can
 */
public record Tenant(String name, Need need, Optional<String> stays) {
    public static Tenant movable(String name, Need need) {
        return new Tenant(name, need, Optional.empty());
    }
}
