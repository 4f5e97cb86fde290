package dev.berth.e2e.chaos;

import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import java.time.Duration;
import java.util.Random;

/**
 * Breaks what can be broken between a door and its API server, by a seed: the same seed draws the same faults in the
 * same order. Which request meets which of them depends on who comes first.
 */
final class Monkey {
    private static final int[] CODES = {429, 500, 503};

    private final Random random;
    private boolean tamed;

    Monkey(long seed) {
        this.random = new Random(seed);
    }

    /** One request in six has bad luck. */
    synchronized Fault fault(FaultProxy.Request request) {
        if (tamed || random.nextInt(6) > 0) return Fault.NONE;
        int kind = random.nextInt(10);
        if (kind < 4) return new Fault.Slow(Duration.ofMillis(random.nextInt(50, 1500)));
        // A conflict is for who writes.
        if (kind < 5 && !request.method().equals("GET")) return new Fault.Refuse(409);
        if (kind < 7) return new Fault.Refuse(CODES[random.nextInt(CODES.length)]);
        // The server has done it, and whoever asked hears that it has not, or nothing at all.
        if (request.watch()) return Fault.NONE;
        if (kind < 9) return new Fault.Lose(random.nextBoolean() ? 500 : 503);
        return new Fault.Before(() -> {});
    }

    synchronized int below(int bound) {
        return random.nextInt(bound);
    }

    /** From now on everything works. */
    synchronized void tame() {
        tamed = true;
    }
}
