package dev.berth.bench;

import dev.berth.core.allocate.Allocator;

/** How much memory the engine needs for each device, with a cluster half held and all it remembers about it. */
public final class EngineMemory {
    private static final int PLACEMENTS = 5_000;

    private EngineMemory() {}

    public static void main(String[] arguments) throws InterruptedException {
        long empty = used();
        var cluster = new EngineBenchmark();
        cluster.fill(10_000, EngineBenchmark.Shape.FOUR_GPUS_ON_ONE_NUMA_NODE, "fewest-free");
        long devices = used() - empty;
        for (int placement = 0; placement < PLACEMENTS; placement++) {
            cluster.place();
        }
        long all = used() - empty;
        System.out.printf(
                "80000 devices on 10000 nodes: %d bytes a device, %d with what %s remembers after %d placements%n",
                devices / 80_000, all / 80_000, Allocator.class.getSimpleName(), PLACEMENTS);
        cluster.place(); // keeps it reachable until here
    }

    private static long used() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            System.gc();
            Thread.sleep(100);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
