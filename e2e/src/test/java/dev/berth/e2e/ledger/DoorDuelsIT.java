package dev.berth.e2e.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.DelayingProxy;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every two doors want the last card of a node, under different names, two hundred times; what their watches bring is
 * two seconds old.
 */
@OnBothServers
class DoorDuelsIT {
    private static final Logger LOG = LoggerFactory.getLogger(DoorDuelsIT.class);
    private static final int ROUNDS = 200;
    private static final int AT_ONCE = 24;
    private static final Duration LATE = Duration.ofSeconds(2);
    /** So much earlier or later is one asked than the other. */
    private static final Duration SPREAD = Duration.ofMillis(600);

    @Story
    @Timeout(900)
    void ofEveryTwoDoorsOneGetsTheLastCard(Cluster server) throws Exception {
        try (var ground = new DuelGround(server);
                var late = DelayingProxy.start(server, LATE);
                var assigner = Contenders.assigner(ground, late.kubeconfig(), LATE);
                var extender = Contenders.extender(ground, late.kubeconfig(), LATE);
                var pinner = Contenders.pinner(ground, late.kubeconfig());
                var claims = Contenders.claims(ground, late.kubeconfig());
                var counting = Contenders.counting(ground, late.kubeconfig())) {
            var nodes = ground.addNodes(ROUNDS);
            for (var pair : pairs(List.of(assigner, extender, pinner, claims, counting))) {
                // What is published and what is free is known to all: this is about who gets it.
                LockSupport.parkNanos(LATE.plusSeconds(1).toNanos());
                fight(ground, pair, nodes);
                ground.clear();
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

    private static List<Pair> pairs(List<Contender> contenders) {
        var pairs = new ArrayList<Pair>();
        for (int one = 0; one < contenders.size(); one++) {
            for (int other = one + 1; other < contenders.size(); other++) {
                pairs.add(new Pair(contenders.get(one), contenders.get(other)));
            }
        }
        return pairs;
    }

    private static String pod(Contender contender, String node) {
        return "%s-%s".formatted(contender.name(), node);
    }

    private static void fight(DuelGround ground, Pair pair, List<String> nodes) throws Exception {
        var random = new Random(pair.name().hashCode());
        var seats = new Semaphore(AT_ONCE);
        var calls = new ArrayList<Callable<Void>>();
        for (var node : nodes) {
            for (var contender : pair.both().toList()) {
                long pause = contender.after().toNanos() + (long) (random.nextDouble() * SPREAD.toNanos());
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
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var call : threads.invokeAll(calls, 5, TimeUnit.MINUTES)) {
                call.get();
            }
        }
        ground.await(pair.name() + " is not decided", () -> {
            var pods = ground.pods();
            return nodes.stream()
                    .allMatch(node -> pair.both().allMatch(each -> each.decided(pod(each, node), pods))
                            && pair.both().anyMatch(each -> each.promised(pod(each, node), pods)));
        });
        var pods = ground.pods();
        var winners = new TreeMap<String, Integer>();
        for (var node : nodes) {
            var promised = pair.both()
                    .filter(each -> each.promised(pod(each, node), pods))
                    .map(Contender::name)
                    .toList();
            assertThat(promised).as("who has the card of " + node).hasSize(1);
            winners.merge(promised.getFirst(), 1, Integer::sum);
        }
        LOG.info("duel of {}: won by {}", pair.name(), winners);
        assertThat(ground.holders())
                .as("every card has one line")
                .hasSize(ROUNDS)
                .allSatisfy((_, holders) -> assertThat(holders).hasSize(1));
    }
}
