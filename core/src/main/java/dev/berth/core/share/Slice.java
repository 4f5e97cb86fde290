package dev.berth.core.share;

/** What one container asks for: hundredths of a GPU's cores and blocks of its memory, or whole GPUs. */
public record Slice(long cores, long memory) {
    /** The cores of one GPU. */
    public static final int WHOLE = 100;

    public Slice {
        if (cores < 0 || memory < 0) {
            throw new IllegalArgumentException("a slice is not negative: %d cores, %d memory".formatted(cores, memory));
        }
    }

    /** Whether it wants GPUs for itself: then its memory does not count, it gets all of theirs. */
    public boolean exclusive() {
        return cores >= WHOLE;
    }

    /** How many GPUs it wants for itself; what is left over a multiple of a hundred is not given out. */
    public long gpus() {
        return cores / WHOLE;
    }
}
