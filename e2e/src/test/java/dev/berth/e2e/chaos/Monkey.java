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

    /** One request in six has bad luck, one watch in three. */
    synchronized Fault fault(FaultProxy.Request request) {
        if (tamed) return Fault.NONE;
        if (request.watch()) return random.nextInt(3) > 0 ? Fault.NONE : ofWatch();
        return random.nextInt(6) > 0 ? Fault.NONE : ofRequest(!request.method().equals("GET"));
    }

    private Fault ofWatch() {
        return switch (random.nextInt(5)) {
            case 0 -> slow();
            case 1 -> new Fault.Refuse(code());
            case 2 -> new Fault.Replay();
            default -> new Fault.Tear(random.nextInt(20));
        };
    }

    private Fault ofRequest(boolean writes) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> slow();
            case 3, 4 -> new Fault.Refuse(code());
            // A conflict is for who writes.
            case 5 -> writes ? new Fault.Refuse(409) : slow();
            case 6 -> new Fault.Twice();
            // The server has done it, and whoever asked hears that it has not, or nothing at all.
            case 7 -> new Fault.Lose(random.nextBoolean() ? 500 : 503);
            case 8 -> new Fault.Drop();
            default -> new Fault.Before(() -> {});
        };
    }

    private Fault slow() {
        return new Fault.Slow(Duration.ofMillis(random.nextInt(50, 1500)));
    }

    private int code() {
        return CODES[random.nextInt(CODES.length)];
    }

    synchronized int below(int bound) {
        return random.nextInt(bound);
    }

    /** From now on everything works. */
    synchronized void tame() {
        tamed = true;
    }
}
