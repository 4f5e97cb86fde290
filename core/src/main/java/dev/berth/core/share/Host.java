package dev.berth.core.share;

/**
 * What is left of a node besides its GPUs, as far as it is known, and what kinds of pods are on it.
 *
 * @param model of its GPUs; empty where nobody said
 * @param cpu thousandths of a core that are left
 * @param memory left, in whatever unit the asker uses
 * @param guests one bit for each kind of pod that holds GPUs here, see {@link #kind}
 */
public record Host(String model, long cpu, long memory, int guests) {
    /** Where only the GPUs are looked at: whoever asks for no CPU has enough of it. */
    public static final Host UNKNOWN = new Host("", 0, 0, 0);

    private static final int MOST_KINDS = 30;

    /** The bit for pods that take so many cores: one for those that share a GPU, one for each number of whole ones. */
    public static int kind(long cores) {
        if (cores <= 0) {
            return 0;
        }
        return cores < Slice.WHOLE ? 1 : 1 << Math.min(MOST_KINDS, cores / Slice.WHOLE);
    }

    /** With a pod on it that takes this. */
    public Host charged(long cpuTaken, long memoryTaken, long cores) {
        return new Host(model, cpu - cpuTaken, memory - memoryTaken, guests | kind(cores));
    }
}
