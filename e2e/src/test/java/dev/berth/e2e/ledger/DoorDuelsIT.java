package dev.berth.e2e.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.DelayingProxy;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every two doors want the last card of a node, under different names, two hundred times; what their watches bring is
 * two seconds old. It is a tournament: in each round every door meets another one, each pair on nodes of its own, so
 * that the waiting that late watches need is done for three pairs at once.
 */
@OnBothServers
class DoorDuelsIT {
    private static final Logger LOG = LoggerFactory.getLogger(DoorDuelsIT.class);
    /** For each pair. The real server is what the promise is about. */
    private static final int DUELS = 200;

    private static final int DUELS_EMBEDDED = 50;
    private static final int PAIRS_AT_ONCE = 3;
    private static final int AT_ONCE = 24;
    private static final Duration LATE = Duration.ofSeconds(2);
    /** So much earlier or later is one asked than the other. */
    private static final Duration SPREAD = Duration.ofMillis(600);
    /** So much later is a pair's next node, so that both doors can be asked about it when they should be. */
    private static final Duration STEP = Duration.ofMillis(25);

    @Story
    @Timeout(900)
    void ofEveryTwoDoorsOneGetsTheLastCard(Cluster server) throws Exception {
        int duels = server.name().equals("real") ? DUELS : DUELS_EMBEDDED;
        try (var ground = DuelGround.with(server, duels * PAIRS_AT_ONCE);
                var late = DelayingProxy.start(server, LATE);
                var contenders = new Field(List.of(
                        () -> Contenders.assigner(ground, late.kubeconfig(), LATE),
                        () -> Contenders.extender(ground, late.kubeconfig(), LATE),
                        () -> Contenders.pinner(ground, late.kubeconfig()),
                        () -> Contenders.claims(ground, late.kubeconfig()),
                        () -> Contenders.dra(ground, late.kubeconfig()),
                        () -> Contenders.counting(ground, late.kubeconfig())))) {
            var rounds = rounds(contenders.all());
            assertThat(rounds.stream().mapToInt(List::size).sum()).as("pairs").isEqualTo(15);
            for (var round : rounds) {
                // What is published and what is free is known to all: this is about who gets it.
                LockSupport.parkNanos(LATE.plusSeconds(1).toNanos());
                var fights = new ArrayList<Fight>();
                for (var pair : round) {
                    int first = fights.size() * duels;
                    fights.add(new Fight(pair, ground.nodes().subList(first, first + duels)));
                }
                fight(ground, fights);
                ground.clear();
            }
        }
    }

    /** The doors, started side by side. */
    private static final class Field implements AutoCloseable {
        private final List<CompletableFuture<Contender>> started;

        Field(List<Supplier<Contender>> starts) {
            started = starts.stream()
                    .map(start -> CompletableFuture.supplyAsync(
                            start, task -> Thread.ofVirtual().start(task)))
                    .toList();
        }

        List<Contender> all() {
            return started.stream().map(CompletableFuture::join).toList();
        }

        @Override
        public void close() {
            for (var each : started) {
                each.handle((contender, problem) -> {
                            if (contender != null) {
                                contender.close();
                            }
                            return problem == null;
                        })
                        .join();
            }
        }
    }

    private record Pair(Contender one, Contender other) {
        String name() {
            return "%s and %s".formatted(one.name(), other.name());
        }

        Stream<Contender> both() {
            return Stream.of(one, other);
        }
    }

    /** A pair, and the nodes on which it meets. */
    private record Fight(Pair pair, List<String> nodes) {
        /** Where it is not known yet who has won, and of whom that is not known. */
        List<String> undecided(Map<String, Pod> pods) {
            return nodes.stream()
                    .flatMap(node -> {
                        var silent = pair.both()
                                .map(each -> each.decided(pod(each, node), pods) ? "" : each.name())
                                .filter(name -> !name.isEmpty())
                                .toList();
                        boolean won = pair.both().anyMatch(each -> each.promised(pod(each, node), pods));
                        return won && silent.isEmpty()
                                ? Stream.of()
                                : Stream.of("%s (%s; silent: %s)".formatted(node, pair.name(), silent));
                    })
                    .toList();
        }
    }

    /** Every two of an even number meet once, and all in every round: all but the first walk round a table. */
    private static List<List<Pair>> rounds(List<Contender> contenders) {
        var walking = new ArrayList<>(contenders.subList(1, contenders.size()));
        var rounds = new ArrayList<List<Pair>>();
        for (int round = 0; round < contenders.size() - 1; round++) {
            var pairs = new ArrayList<Pair>();
            pairs.add(new Pair(contenders.getFirst(), walking.getFirst()));
            for (int seat = 1; seat <= walking.size() / 2; seat++) {
                pairs.add(new Pair(walking.get(seat), walking.get(walking.size() - seat)));
            }
            rounds.add(pairs);
            Collections.rotate(walking, 1);
        }
        return rounds;
    }

    private static String pod(Contender contender, String node) {
        return "%s-%s".formatted(contender.name(), node);
    }

    private static void fight(DuelGround ground, List<Fight> fights) throws Exception {
        var seats = new Semaphore(AT_ONCE);
        var calls = new ArrayList<Callable<Void>>();
        for (var fight : fights) {
            calls.addAll(asks(fight, seats));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var call : threads.invokeAll(calls, 5, TimeUnit.MINUTES)) {
                call.get();
            }
        }
        ground.await(() -> {
            var pods = ground.pods();
            return fights.stream()
                    .flatMap(fight -> fight.undecided(pods).stream())
                    .toList();
        });
        var pods = ground.pods();
        fights.forEach(fight -> judge(fight, pods));
        assertThat(ground.holders())
                .as("every card has one line")
                .hasSize(fights.stream().mapToInt(fight -> fight.nodes().size()).sum())
                .allSatisfy((_, holders) -> assertThat(holders).hasSize(1));
    }

    private static List<Callable<Void>> asks(Fight fight, Semaphore seats) {
        var random = new Random(fight.pair().name().hashCode());
        var calls = new ArrayList<Callable<Void>>();
        for (int number = 0; number < fight.nodes().size(); number++) {
            var node = fight.nodes().get(number);
            long begin = STEP.toNanos() * number;
            for (var contender : fight.pair().both().toList()) {
                long pause = begin + contender.after().toNanos() + (long) (random.nextDouble() * SPREAD.toNanos());
                calls.add(() -> {
                    LockSupport.parkNanos(pause);
                    seats.acquire();
                    try {
                        contender.ask(pod(contender, node), node);
                    } finally {
                        seats.release();
                    }
                    return null;
                });
            }
        }
        return calls;
    }

    private static void judge(Fight fight, Map<String, Pod> pods) {
        var winners = new TreeMap<String, Integer>();
        for (var node : fight.nodes()) {
            var promised = fight.pair()
                    .both()
                    .filter(each -> each.promised(pod(each, node), pods))
                    .map(Contender::name)
                    .toList();
            assertThat(promised).as("who has the card of " + node).hasSize(1);
            winners.merge(promised.getFirst(), 1, Integer::sum);
        }
        LOG.info("duel of {}: won by {}", fight.pair().name(), winners);
    }
}
