package dev.berth.extender.wire;

import dev.berth.core.share.GpuCapacity;
import java.util.Optional;

/**
 * A node that the scheduler asks about: by name alone, or with what its object says and where that lies in the request.
 */
public record Candidate(String name, Optional<Described> described) {
    /** What the node's object in the request says, and its bytes there. */
    public record Described(GpuCapacity capacity, String model, String pool, int from, int to) {}

    public static Candidate named(String name) {
        return new Candidate(name, Optional.empty());
    }
}
