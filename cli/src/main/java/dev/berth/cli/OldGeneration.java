package dev.berth.cli;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Optional;

/**
 * The part of the heap for what has lived a while. The serial collector lets it grow to its limit before it looks
 * there: a door of which 40 MB live would hold 900 after some thousand requests. Here it is looked at once half of it
 * may be garbage, as collectors do that run beside the program and need far more memory for that.
 */
final class OldGeneration {
    /** Less than this is not worth a pause. */
    static final long SMALL = 24L << 20;

    private final MemoryPoolMXBean pool;

    private OldGeneration(MemoryPoolMXBean pool) {
        this.pool = pool;
    }

    /** Empty with any other collector: those look by themselves. */
    static Optional<OldGeneration> ofSerialCollector() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .map(OldGeneration::new);
    }

    /** Collects it if that is worth its pause: as long as a collection takes, nobody is answered. */
    void tidy() {
        if (overgrown(pool.getUsage().getUsed(), pool.getCollectionUsage().getUsed())) {
            System.gc();
        }
    }

    /** @param lived how much of it was left by the last collection; nothing before the first */
    static boolean overgrown(long used, long lived) {
        return used - lived > Math.max(SMALL, lived / 2);
    }
}
