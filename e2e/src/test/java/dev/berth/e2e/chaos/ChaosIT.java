package dev.berth.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of four doors, a proxy that delays, refuses, loses and repeats, watches that are torn and begin anew in the
 * past, replicas that are killed: no card is held twice at any moment, no promise is forgotten, and in the end
 * everybody had his card, whoever waits says why, and nothing is left behind. {@code bench/chaos} does the same for ten
 * minutes with three replicas, 50 nodes and 2,000 pods.
 */
@OnBothServers
class ChaosIT {
    private static final Logger LOG = LoggerFactory.getLogger(ChaosIT.class);
    private static final int NODES = Integer.getInteger("chaos.nodes", 6);
    private static final int CARDS = Integer.getInteger("chaos.cards", 4);
    private static final int PODS = Integer.getInteger("chaos.pods", 80);
    private static final int REPLICAS = Integer.getInteger("chaos.replicas", 2);
    private static final Duration BETWEEN = Duration.ofMillis(Long.getLong("chaos.between-millis", 5_000));
    private static final long SEED = Long.getLong("chaos.seed", 20261117);
    /** A proposal of a replica that died holds its card for a minute; some pods wait for that, one after the other. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Story
    @Timeout(3600)
    void everyPodGetsItsCardAndNoCardTwoPods(Cluster server) throws Exception {
        LOG.info("chaos: seed={} nodes={} cards={} pods={} replicas={}", SEED, NODES, CARDS, PODS, REPLICAS);
        var monkey = new Monkey(SEED);
        try (var ground = new Ground(server, "chaos-" + server.name(), NODES, CARDS);
                var watchman = new Watchman(ground);
                var auditor = new Auditor(ground, watchman);
                var crew = new Crew(ground, server, monkey, REPLICAS)) {
            try {
                live(ground, watchman, crew, monkey);
                LOG.info("chaos: audits={}", auditor.audits());
                new Reasons(ground, crew).areCurrent();
                Await.until(
                        PATIENCE,
                        () -> ground.holders().isEmpty(),
                        () -> "nobody is there, and it is held: " + ground.holders());
                Await.until(PATIENCE, () -> ground.claims().isEmpty(), () -> "left: " + ground.claims());
                Await.until(PATIENCE, () -> ground.gpuLeases().isEmpty(), () -> "left: " + ground.gpuLeases());
                assertThat(watchman.wrong())
                        .as("seen by the observer, seed %d", SEED)
                        .isEmpty();
                assertThat(auditor.wrong())
                        .as("seen by the auditor, seed %d", SEED)
                        .isEmpty();
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed %d: %s%n%s".formatted(SEED, e.getMessage(), crew.lastWords()), e);
            }
        }
    }

    private static void live(Ground ground, Watchman watchman, Crew crew, Monkey monkey) throws Exception {
        var over = new AtomicBoolean();
        // A fifth of the cards stays free, for what a replica that died has promised to nobody.
        var seats = new Semaphore(NODES * CARDS * 4 / 5);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> trouble = threads.submit(() -> trouble(crew, monkey, over));
            var guests = new ExecutorCompletionService<Guest>(threads);
            var doors = Crew.Door.values();
            for (int number = 0; number < PODS; number++) {
                var guest = new Guest(ground, crew, watchman, doors[number % doors.length], number);
                var stay = Duration.ofMillis(300 + monkey.below(1_500));
                guests.submit(() -> {
                    seats.acquire();
                    try {
                        long deadline = System.nanoTime() + PATIENCE.toNanos();
                        guest.arrive(deadline);
                        Thread.sleep(stay);
                        guest.leave(deadline);
                    } finally {
                        seats.release();
                    }
                    return guest;
                });
            }
            try {
                for (int gone = 0; gone < PODS; gone++) guests.take().get();
            } catch (ExecutionException first) {
                threads.shutdownNow();
                throw new AssertionError(first.getCause());
            } finally {
                over.set(true);
                monkey.tame();
            }
            LOG.info("chaos: replicas ended={} events seen={}", trouble.get(), watchman.seen());
        }
    }

    /** Ends a replica, with a word or without, or all watches; until it is over. Returns how many it ended. */
    private static int trouble(Crew crew, Monkey monkey, AtomicBoolean over) throws InterruptedException {
        int ended = 0;
        while (!over.get()) {
            Thread.sleep(BETWEEN);
            if (monkey.below(4) == 0) {
                crew.cutWatches();
            } else {
                crew.members().get(monkey.below(crew.members().size())).replace(monkey.below(2) == 0);
                ended++;
            }
        }
        return ended;
    }
}
