package dev.berth.core.share;

/** What a node has: a hundred cores for each GPU, and the memory of all of them together. */
public record GpuCapacity(long cores, long memory) {
    public static final GpuCapacity NONE = new GpuCapacity(0, 0);

    /** More than any machine has, and few enough to be counted one by one. */
    private static final long MOST_DEVICES = 1024;

    public GpuCapacity {
        cores = Math.max(0, cores);
        memory = Math.max(0, memory);
    }

    /** Less than a hundred cores are no GPU. */
    public int devices() {
        return (int) Math.min(MOST_DEVICES, cores / Slice.WHOLE);
    }

    /** Every GPU of a node has the same. */
    public long deviceMemory() {
        return devices() == 0 ? 0 : memory / devices();
    }
}
