package dev.berth.extender.wire;

import dev.berth.core.share.GpuCapacity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node that the scheduler asks about: by name alone, or with what its object says and where that lies in the request.
 */
public final class Candidate {
    private final String name;
    private final Optional<Described> described;
    /** Made when somebody wants it, perhaps by two threads, which then make the same. */
    private byte @Nullable [] quoted;

    /** What the node's object in the request says, and its bytes there. */
    public record Described(GpuCapacity capacity, String model, String pool, int from, int to) {}

    private Candidate(String name, Optional<Described> described) {
        this.name = name;
        this.described = described;
    }

    public static Candidate named(String name) {
        return new Candidate(name, Optional.empty());
    }

    static Candidate described(String name, Described described) {
        return new Candidate(name, Optional.of(described));
    }

    public String name() {
        return name;
    }

    public Optional<Described> described() {
        return described;
    }

    /** Its name in JSON. Candidates outlive questions, and nearly every one is told why it is not the node. */
    byte[] quoted() {
        var known = quoted;
        if (known == null) {
            known = new JsonText(name.length() + 2).quoted(name).toByteArray();
            quoted = known;
        }
        return known;
    }
}
