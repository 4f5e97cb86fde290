package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Machine;
import dev.berth.bench.Result;
import dev.berth.bench.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long a door takes until it is ready, and how much memory it holds when nobody asks it anything. */
public final class Starts {
    private static final int TIMES = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long IDLE_MILLIS = 8_000;

    @FunctionalInterface
    interface Start {
        Target start() throws IOException;
    }

    private Starts() {}

    /** @param most MiB that it may hold when idle */
    static void measure(String what, int most, Start start) throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        List<Double> megabytes = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            long begun = System.nanoTime();
            try (var door = start.start()) {
                awaitReady(door);
                seconds.add((System.nanoTime() - begun) / 1e9);
                Thread.sleep(i == 0 ? IDLE_MILLIS : 0);
                if (i == 0) megabytes.add(door.megabytes());
            }
        }
        seconds.sort(null);
        Result.of("start: %s, ready".formatted(what), "s", seconds.get(TIMES / 2))
                .atMost(1)
                .tell();
        Result.of("start: %s, idle".formatted(what), "MiB", megabytes.getFirst())
                .atMost(most)
                .tell();
        System.out.printf(
                "start, %s: ready after %.2f s (%.2f to %.2f, %d starts), %.0f MiB resident when idle, load %s%n",
                what,
                seconds.get(TIMES / 2),
                seconds.getFirst(),
                seconds.getLast(),
                TIMES,
                megabytes.getFirst(),
                Machine.load());
    }

    /** Asks every few milliseconds: the time until ready is what is measured. */
    static void awaitReady(Target door) throws IOException, InterruptedException {
        awaitReady(door, PATIENCE);
    }

    /** The same for one that may take longer. */
    public static void awaitReady(Target door, Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!ready(door)) {
            if (!door.processes().values().stream().allMatch(Process::isAlive)) {
                throw new IOException(door.name() + " did not start");
            }
            if (System.nanoTime() > deadline) throw new IOException(door.name() + " is not ready");
            Thread.sleep(5);
        }
    }

    private static boolean ready(Target door) {
        try (var connection = new Connection(door)) {
            return connection.send(connection.request("GET", "/readyz", new byte[0])) == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
