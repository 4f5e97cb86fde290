package dev.berth.kube.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.kube.TestServer;
import dev.berth.kube.ledger.Decision.Decided;
import dev.berth.kube.ledger.LedgerOutcome.NotWritten;
import dev.berth.kube.ledger.LedgerOutcome.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SharedNodeLedgersTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");

    private static TestServer server;
    private static SharedNodeLedgers one;
    private static SharedNodeLedgers two;

    @BeforeAll
    static void start() {
        server = new TestServer();
        NodeLedgerDefinition.install(server.connect());
        one = new SharedNodeLedgers(server.connect(), _ -> OptionalInt.of(8));
        two = new SharedNodeLedgers(server.connect(), _ -> OptionalInt.empty());
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        server.close();
    }

    @Test
    void ofTwoWritersExactlyOneGetsTheLastDevice() throws Exception {
        var gpu = new DeviceId("GPU-0");
        for (int round = 0; round < 200; round++) {
            var node = new NodeName("duel-" + round % 20);
            var anna = holder("anna-" + round);
            var bert = holder("bert-" + round);

            var outcomes = together(List.of(
                    () -> one.decide(node, take(gpu, anna), SOON), () -> two.decide(node, take(gpu, bert), SOON)));

            assertThat(outcomes)
                    .as("round %d", round)
                    .containsExactlyInAnyOrder(new Settled<>(true), new Settled<>(false));
            assertThat(two.decide(node, releaseAll(), SOON)).isEqualTo(new Settled<>(1));
        }
    }

    @Test
    void aHundredDecisionsOnOneNodeAreFarFewerWrites() throws Exception {
        var node = new NodeName("burst");
        List<Callable<LedgerOutcome<Boolean>>> decisions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            var entryOf = i;
            decisions.add(() -> one.decide(node, take(new DeviceId("GPU-" + entryOf), holder("p" + entryOf)), SOON));
        }

        var outcomes = together(decisions);

        assertThat(outcomes).hasSize(100).containsOnly(new Settled<>(true));
        assertThat(one.read(node).byDevice()).hasSize(100);
        assertThat(generation("burst")).as("writes").isLessThan(30);
    }

    @Test
    void whoComesBeforeItIsHisNodesTurnIsWrittenWithTheOthers() throws Exception {
        var busy = new CountDownLatch(Turns.AT_ONCE);
        var over = new CountDownLatch(1);
        Decision<Boolean> slow = holdings -> {
            busy.countDown();
            await(over);
            return new Decided<>(holdings, true);
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int other = 0; other < Turns.AT_ONCE; other++) {
                var node = new NodeName("busy-" + other);
                var _ = threads.submit(() -> one.decide(node, slow, SOON));
            }
            await(busy);
            var waiting = new ArrayList<Thread>();
            for (int i = 0; i < 5; i++) {
                var gpu = new DeviceId("GPU-" + i);
                waiting.add(Thread.startVirtualThread(
                        () -> one.decide(new NodeName("patient"), take(gpu, holder("patient")), SOON)));
            }
            TestServer.await(
                    "all wait",
                    () -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            over.countDown();
            for (var thread : waiting) {
                assertThat(thread.join(SOON)).isTrue();
            }
        }

        assertThat(one.read(new NodeName("patient")).byDevice()).hasSize(5);
        assertThat(generation("patient")).as("writes").isEqualTo(1);
    }

    @Test
    void inACrowdALaneWaitsForWhoIsAboutToCome() throws Exception {
        var turns = Turns.pausing(SOON.multipliedBy(10), SOON.multipliedBy(10));
        var node = new NodeName("gathering");
        try (var patient = new SharedNodeLedgers(server.connect(), _ -> OptionalInt.of(3), turns);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            turns.decisions().addAndGet(turns.crowd());

            var first = threads.submit(() -> patient.decide(node, take(new DeviceId("GPU-0"), holder("a")), SOON));
            assertThatThrownBy(() -> first.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            var second = threads.submit(() -> patient.decide(node, take(new DeviceId("GPU-1"), holder("b")), SOON));
            assertThatThrownBy(() -> second.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            // As many as there are GPUs: nobody else can be waited for.
            var third = patient.decide(node, take(new DeviceId("GPU-2"), holder("c")), SOON);

            assertThat(List.of(first.get(), second.get(), third)).containsOnly(new Settled<>(true));
            assertThat(generation("gathering")).as("writes").isEqualTo(1);
            TestServer.await("nobody is left", () -> turns.decisions().get() == turns.crowd());
        }
    }

    @Test
    void aloneNobodyWaits() {
        var turns = Turns.pausing(SOON.multipliedBy(10), SOON.multipliedBy(10));
        try (var alone = new SharedNodeLedgers(server.connect(), _ -> OptionalInt.of(3), turns)) {
            var outcome = alone.decide(new NodeName("alone"), take(new DeviceId("GPU-0"), holder("a")), SOON);

            assertThat(outcome).isEqualTo(new Settled<>(true));
        }
    }

    @Test
    void nobodyTracksWhoOwnsALineOfALedger() throws Exception {
        var node = new NodeName("untracked");
        one.decide(node, take(new DeviceId("GPU-0"), holder("first")), SOON);
        one.decide(node, take(new DeviceId("GPU-1"), holder("second")), SOON);

        var text = server.connect().client().raw("/apis/berth.dev/v1alpha1/nodeledgers/untracked");

        assertThat(text).contains("second").doesNotContain("managedFields");
    }

    @Test
    void aDecisionThatThrowsOrRefusesFailsNobodyElse() throws Exception {
        var node = new NodeName("neighbours");
        var gpu = new DeviceId("GPU-0");
        one.decide(node, take(gpu, holder("first")), SOON);

        List<Callable<LedgerOutcome<Boolean>>> decisions = List.of(
                () -> one.decide(node, take(gpu, holder("second")), SOON),
                () -> one.decide(node, take(new DeviceId("GPU-1"), holder("third")), SOON));
        var bug = Executors.newVirtualThreadPerTaskExecutor()
                .submit(() -> one.<Boolean>decide(
                        node,
                        _ -> {
                            throw new IllegalStateException("a bug");
                        },
                        SOON));

        assertThat(together(decisions)).containsExactly(new Settled<>(false), new Settled<>(true));
        assertThatThrownBy(bug::get).hasRootCauseMessage("a bug");
    }

    @Test
    void aRefusalRestsOnAFreshReadNotOnMemory() {
        var node = new NodeName("fresh");
        var gpu = new DeviceId("GPU-0");
        one.decide(node, take(gpu, holder("first")), SOON);
        two.decide(node, releaseAll(), SOON);

        assertThat(one.decide(node, take(gpu, holder("second")), SOON)).isEqualTo(new Settled<>(true));
    }

    @Test
    void aWriteWhoseAnswerIsLostIsFoundOut() {
        var wire = server.wire();
        var node = new NodeName("lost-answer");
        try (var ledgers = new SharedNodeLedgers(server.connectOver(wire), _ -> OptionalInt.empty())) {
            ledgers.decide(node, take(new DeviceId("GPU-0"), holder("first")), SOON);
            wire.loseAnswerTo("PUT /apis/berth.dev/");

            var outcome = ledgers.decide(node, take(new DeviceId("GPU-1"), holder("second")), SOON);

            assertThat(outcome).isEqualTo(new Settled<>(true));
            assertThat(wire.lost()).isEqualTo(1);
            assertThat(one.read(node).of(new DeviceId("GPU-1"))).hasSize(1);
        }
    }

    /**
     * A pod is asked about again, at another replica, when nobody answered in time; both may choose the same device.
     */
    @Test
    void whatOneHasGivenUpIsNotTakenFromWhoDecidedItAgain() throws Exception {
        var wire = server.wire();
        var node = new NodeName("decided-again");
        var gpu = new DeviceId("GPU-1");
        var decidedAgain = Entry.assumed(gpu, holder("anna"), Share.WHOLE, LATER.plusSeconds(1));
        var ahead = new CountDownLatch(1);
        var bothWait = new CountDownLatch(1);
        var again = new CountDownLatch(1);
        var runs = new AtomicInteger();
        Decision<Boolean> beside = holdings -> {
            switch (runs.incrementAndGet()) {
                case 1 -> wire.loseAnswerTo("PUT /apis/berth.dev/");
                case 2 -> await(again);
                default -> {}
            }
            return take(new DeviceId("GPU-2"), holder("bert")).on(holdings);
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var ledgers = new SharedNodeLedgers(server.connectOver(wire), _ -> OptionalInt.empty())) {
            ledgers.decide(node, take(new DeviceId("GPU-0"), holder("first")), SOON);
            Decision<Boolean> slow = holdings -> {
                ahead.countDown();
                await(bothWait);
                return take(new DeviceId("GPU-3"), holder("slow")).on(holdings);
            };
            var _ = threads.submit(() -> ledgers.decide(node, slow, SOON));
            await(ahead);
            var anna = new FutureTask<>(() -> ledgers.decide(node, take(gpu, holder("anna")), Duration.ofSeconds(1)));
            var bert = new FutureTask<>(() -> ledgers.decide(node, beside, SOON));
            var waiting = List.of(Thread.startVirtualThread(anna), Thread.startVirtualThread(bert));
            TestServer.await(
                    "both wait",
                    () -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            bothWait.countDown();

            assertThat(anna.get()).isInstanceOf(LedgerOutcome.Unknown.class);
            two.decide(node, holdings -> new Decided<>(holdings.taking(decidedAgain), true), SOON);
            again.countDown();

            assertThat(bert.get()).isEqualTo(new Settled<>(true));
            assertThat(one.read(node).of(gpu)).containsExactly(decidedAgain);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsNoPromise() {
        var wire = server.wire();
        try (var ledgers = new SharedNodeLedgers(server.connectOver(wire), _ -> OptionalInt.empty())) {
            wire.block();

            var outcome = ledgers.decide(
                    new NodeName("away"), take(new DeviceId("GPU-0"), holder("first")), Duration.ofMillis(300));

            assertThat(outcome).isNotInstanceOf(Settled.class);
        }
    }

    @Test
    void aLedgerNeverOutgrowsItsLimit() {
        var node = new NodeName("large");
        var name = "x".repeat(250);
        var share = new Share.Part(Map.of("cores", Quantity.of(10)));
        var filled = Holdings.EMPTY;
        for (int device = 0; device < 200; device++) {
            for (int pod = 0; pod < 9; pod++) {
                var holder = new Holder(
                        Door.EXTENDER,
                        name,
                        name,
                        "%d-%d-".formatted(device, pod) + name.substring(20),
                        Optional.of(name));
                filled = filled.recording(Entry.confirmed(new DeviceId("GPU-" + device), holder, share));
            }
        }
        var most = filled;
        assertThat(one.decide(node, _ -> new Decided<>(most, true), SOON)).isInstanceOf(NotWritten.class);
        assertThat(one.read(node)).isEqualTo(Holdings.EMPTY);

        var half = most.without(entry -> Integer.parseInt(entry.device().value().substring(4)) > 100);
        assertThat(one.decide(node, _ -> new Decided<>(half, true), SOON)).isEqualTo(new Settled<>(true));
    }

    @Test
    void theViewFollowsTheOthersWrites() {
        var node = new NodeName("followed");
        one.decide(node, take(new DeviceId("GPU-0"), holder("first")), SOON);

        assertThat(one.ledger().of(node).byDevice()).hasSize(1);
        TestServer.await("the watch", () -> !two.ledger().of(node).byDevice().isEmpty());
    }

    @Test
    void peopleSeeCounts() {
        var node = new NodeName("counted");
        one.decide(node, take(new DeviceId("GPU-0"), holder("first")), SOON);

        var spec = server.connect()
                .client()
                .resources(NodeLedger.class)
                .withName("counted")
                .get()
                .getSpec();

        assertThat(spec.summary()).isEqualTo(new NodeLedgerSpec.Summary(1, 7, 1, 0));
    }

    /** How often the node's ledger was written. */
    private static long generation(String node) {
        return server.connect()
                .client()
                .resources(NodeLedger.class)
                .withName(node)
                .get()
                .getMetadata()
                .getGeneration();
    }

    private static Decision<Boolean> take(DeviceId device, Holder holder) {
        return holdings -> {
            var entry = Entry.assumed(device, holder, Share.WHOLE, LATER);
            return holdings.obstacle(entry).isPresent()
                    ? new Decided<>(holdings, false)
                    : new Decided<>(holdings.taking(entry), true);
        };
    }

    private static Decision<Integer> releaseAll() {
        return holdings ->
                new Decided<>(Holdings.EMPTY, (int) holdings.entries().count());
    }

    private static Holder holder(String name) {
        return Holder.pod(Door.PINNER, "default", name, "uid-" + name);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static <T> List<T> together(List<Callable<T>> actions) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var future : threads.invokeAll(actions)) {
                results.add(future.get());
            }
            return results;
        }
    }
}
