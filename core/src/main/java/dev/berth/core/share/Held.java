package dev.berth.core.share;

/** How much of one device somebody holds, all his containers together. */
public record Held(boolean whole, long cores, long memory) {
    public static final Held WHOLE = new Held(true, Slice.WHOLE, 0);

    public static Held part(Slice slice) {
        return new Held(false, slice.cores(), slice.memory());
    }

    public Held plus(Held other) {
        return whole || other.whole ? WHOLE : new Held(false, cores + other.cores, memory + other.memory);
    }

    public Held max(Held other) {
        return whole || other.whole
                ? WHOLE
                : new Held(false, Math.max(cores, other.cores), Math.max(memory, other.memory));
    }

    /** Whether this is room enough for the other. */
    public boolean covers(Held other) {
        return whole || (!other.whole && cores >= other.cores && memory >= other.memory);
    }
}
