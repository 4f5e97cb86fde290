package dev.berth.core.allocate;

import static dev.berth.core.allocate.Devices.NODE;
import static dev.berth.core.allocate.Devices.device;
import static dev.berth.core.allocate.Devices.held;
import static dev.berth.core.allocate.Devices.identical;
import static dev.berth.core.allocate.Devices.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.core.Share;
import dev.berth.core.Shelf;
import dev.berth.core.Taint;
import dev.berth.core.allocate.Devices.Having;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Draw;
import dev.berth.core.demand.Filter;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.demand.Toleration;
import dev.berth.core.policy.Listed;
import dev.berth.core.policy.NodeView;
import dev.berth.core.policy.Pack;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllocatorTest {
    private static final NodeName TWO = new NodeName("n2");

    private final Allocator allocator = new Allocator();
    private Inventory inventory = Inventory.EMPTY;
    private Ledger ledger = Ledger.EMPTY;

    @Test
    void takesTheFirstDevicesOfTheFirstNode() {
        inventory = inventory.with(TWO, identical(TWO, 2)).with(NODE, identical(NODE, 3));

        assertThat(place(Demand.of("p", Ask.of("gpu", 2, Filter.EVERY)))).isEqualTo("n1 gpu=dev-00,dev-01");
    }

    @Test
    void aHeldDeviceIsNotGivenAgain() {
        inventory = inventory.with(NODE, identical(NODE, 2));
        ledger = ledger.with(NODE, Holdings.of(List.of(held("dev-00", "a"))));

        assertThat(place(Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)))).isEqualTo("n1 gpu=dev-01");
    }

    @Test
    void aRefusalCountsAndNamesWhatStandsInTheWay() {
        inventory = inventory.with(
                NODE,
                List.of(
                        device(NODE, "a", "model", "T4"),
                        device(NODE, "b", "model", "A100"),
                        device(NODE, "c", "model", "A100")));
        ledger = ledger.with(NODE, Holdings.of(List.of(held("b", "train-0"))));

        assertThat(place(Demand.of("p", Ask.of("gpu", 2, new Having("model", "A100")))))
                .isEqualTo("0/1 nodes are available: n1: gpu wants 2 devices, of 3: 1 unsuitable"
                        + " (a: its model is T4, not A100), 1 held by default/train-0, 1 free.");
    }

    @Test
    void devicesThatMustAgreeAreTakenTogetherEvenIfTheFirstOnesDoNot() {
        inventory = inventory.with(
                NODE,
                List.of(
                        device(NODE, "a", "numa", "0"),
                        device(NODE, "b", "numa", "1"),
                        device(NODE, "c", "numa", "1")));

        assertThat(place(Demand.of("p", Ask.of("gpu", 2, Filter.EVERY)).with(Constraint.same("numa"))))
                .isEqualTo("n1 gpu=b,c");
    }

    @Test
    void aRefusalSaysHowManyAgreeAtBest() {
        inventory = inventory.with(
                NODE,
                IntStream.range(0, 8)
                        .mapToObj(index -> device(NODE, "d" + index, "numa", index < 5 ? "0" : "1"))
                        .toList());

        assertThat(place(Demand.of("p", Ask.of("gpu", 6, Filter.EVERY)).with(Constraint.same("numa"))))
                .isEqualTo("0/1 nodes are available: n1: 6 devices with the same numa wanted,"
                        + " at most 5 free agree (numa=0).");
    }

    @Test
    void aDeviceWithoutTheAttributeAgreesWithNobody() {
        inventory = inventory.with(NODE, identical(NODE, 2));

        assertThat(place(Demand.of("p", Ask.of("gpu", 2, Filter.EVERY)).with(Constraint.same("pcie-root"))))
                .contains("2 devices with the same pcie-root wanted, no free one has it");
    }

    @Test
    void devicesThatMustDifferDo() {
        inventory = inventory.with(
                NODE,
                List.of(
                        device(NODE, "a", "card", "0"),
                        device(NODE, "b", "card", "0"),
                        device(NODE, "c", "card", "1")));

        assertThat(place(Demand.of("p", Ask.of("vf", 2, Filter.EVERY)).with(Constraint.distinct("card"))))
                .isEqualTo("n1 vf=a,c");
    }

    @Test
    void anEarlierChoiceOnALaterNodeIsBetter() {
        inventory = inventory
                .with(NODE, List.of(device(NODE, "t", "model", "T4")))
                .with(TWO, List.of(device(TWO, "a", "model", "A100")));
        var ask = new Ask(
                "gpu",
                List.of(
                        Choice.of(new Having("model", "A100"), 1).named("best"),
                        Choice.of(new Having("model", "T4"), 1).named("good")));

        assertThat(place(Demand.of("p", ask))).isEqualTo("n2 gpu/best=a");
    }

    @Test
    void allDevicesThatSuitAreTakenOrNone() {
        inventory = inventory.with(NODE, identical(NODE, 3));
        var all = Demand.of("p", Ask.of("gpu", Choice.of(Filter.EVERY, Count.ALL)));

        assertThat(place(all)).isEqualTo("n1 gpu=dev-00,dev-01,dev-02");
        ledger = ledger.with(NODE, Holdings.of(List.of(held("dev-01", "a"))));
        assertThat(place(all)).contains("gpu wants every device that suits, of 3: 1 held by default/a, 2 free");
    }

    @Test
    void anAdminLooksAfterWhatOthersHold() {
        inventory = inventory.with(NODE, identical(NODE, 2));
        ledger = ledger.with(NODE, Holdings.of(List.of(held("dev-00", "a"))));

        assertThat(place(Demand.of(
                        "p", Ask.of("gpu", Choice.of(Filter.EVERY, Count.ALL).asAdmin()))))
                .isEqualTo("n1 gpu=dev-00,dev-01");
    }

    @Test
    void aPartIsRoundedUpToBlocksAndTheRestIsLeftForOthers() {
        var shared = device(NODE, "gpu")
                .withCapacities(Map.of("memory", Capacity.inBlocks(Quantity.of(16), Quantity.of(4))))
                .inParts();
        inventory = inventory.with(NODE, List.of(shared));
        var six = Demand.of("p", Ask.of("gpu", Choice.of(Filter.EVERY, 1).drawing(memory(6))));

        assertThat(place(six)).isEqualTo("n1 gpu=gpu{memory=8}");
        ledger = ledger.with(
                NODE, Holdings.of(List.of(held("gpu", "a", new Share.Part(Map.of("memory", Quantity.of(12)))))));
        assertThat(place(six)).contains("1 held by default/a");
        assertThat(place(Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)))).contains("1 held by default/a");
    }

    @Test
    void asFewDevicesAsHaveEnoughTogether() {
        var devices = new ArrayList<Device>();
        for (int index = 0; index < 4; index++) {
            devices.add(device(NODE, "d" + index)
                    .withCapacities(Map.of("memory", Capacity.of(Quantity.of(index < 2 ? 10 : 40)))));
        }
        inventory = inventory.with(NODE, devices);

        assertThat(place(together(1, 4, 50))).isEqualTo("n1 gpu=d0,d2");
        assertThat(place(together(1, 1, 50))).contains("gpu wants 50 memory, at most 40 is left");
    }

    @Test
    void partitionsDoNotOverdrawTheirCard() {
        var slices = new Counter("card-0", "slices");
        var small = List.of(
                device(NODE, "whole").drawing(Map.of(slices, Quantity.of(4))),
                device(NODE, "half-0").drawing(Map.of(slices, Quantity.of(2))),
                device(NODE, "half-1").drawing(Map.of(slices, Quantity.of(2))));
        inventory = inventory.with(new Shelf(NODE, small, Map.of(slices, Quantity.of(4))));

        assertThat(place(Demand.of("p", Ask.of("gpu", 2, Filter.EVERY)))).isEqualTo("n1 gpu=half-0,half-1");
        assertThat(place(Demand.of("p", Ask.of("gpu", 3, Filter.EVERY))))
                .contains("6 of the shared slices wanted, 4 left");
        ledger = ledger.with(NODE, Holdings.of(List.of(held("half-0", "a"))));
        assertThat(place(Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)))).isEqualTo("n1 gpu=half-1");
    }

    @Test
    void aTaintKeepsAwayWhoDoesNotTolerateIt() {
        var broken = device(NODE, "a").withTaints(List.of(new Taint("broken", "", Taint.Effect.NO_SCHEDULE)));
        inventory = inventory.with(NODE, List.of(broken));

        assertThat(place(Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)))).contains("of 1: 1 tainted, 0 free");
        assertThat(place(Demand.of(
                        "p", Ask.of("gpu", Choice.of(Filter.EVERY, 1).tolerating(List.of(Toleration.EVERYTHING))))))
                .isEqualTo("n1 gpu=a");
    }

    @Test
    void aNetworkDeviceServesEveryNodeThatReachesItAndIsHeldOnce() {
        var pool = new NodeName("network.pool");
        var far = new Device(new DeviceId("far"), new Reach.Among(Set.of(TWO)));
        inventory = inventory.with(NODE, List.of()).with(TWO, List.of()).with(new Shelf(pool, List.of(far)));
        var one = Demand.of("p", Ask.of("net", 1, Filter.EVERY));

        assertThat(place(one)).isEqualTo("n2 net=far");
        ledger = ledger.with(pool, Holdings.of(List.of(held("far", "a"))));
        assertThat(place(one)).contains("n2: net wants 1 device, of 1: 1 held by default/a");
        assertThat(place(one.with(new Constraint.SameNode(Set.of())))).contains("unsuitable");
    }

    @Test
    void anUnfitNodeIsNotAskedForDevices() {
        inventory = inventory.with(NODE, identical(NODE, 1)).with(TWO, identical(TWO, 1));
        var demand = Demand.of("p", Ask.of("gpu", 1, Filter.EVERY))
                .onlyOn(node -> node.equals(NODE) ? Optional.of("node is cordoned") : Optional.empty());

        assertThat(place(demand)).isEqualTo("n2 gpu=dev-00");
        assertThat(place(demand.onlyOn(NodeFit.only(new NodeName("n9"))))).contains("only node n9 will do");
    }

    @Test
    void fortyAsksForThirtyNineDevicesAreRefusedWithoutSearch() {
        inventory = inventory.with(NODE, identical(NODE, 39));
        var asks = IntStream.range(0, 40)
                .mapToObj(index -> Ask.of("a" + index, 1, Filter.EVERY))
                .toList();
        var clock = new AtomicLong();

        var verdict = allocator.place(
                inventory,
                ledger,
                new Demand("p", asks, List.of(), NodeFit.ANY),
                new Listed(),
                Deadline.within(Duration.ofNanos(10), clock::incrementAndGet)); // each look at the clock is a step

        assertThat(verdict).isInstanceOf(Refusal.class);
        assertThat(((Refusal) verdict).perNode().get(NODE)).isInstanceOf(Reason.NotTogether.class);
    }

    @Test
    void aDeadlineIsReportedAsSuch() {
        inventory = inventory.with(NODE, identical(NODE, 3));
        var clock = new AtomicLong();

        var verdict = allocator.place(
                inventory,
                ledger,
                Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)),
                new Listed(),
                Deadline.within(Duration.ofNanos(1), clock::incrementAndGet));

        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.outOfTime()).isTrue());
        assertThat(place(Demand.of("p", Ask.of("gpu", 1, Filter.EVERY)))).isEqualTo("n1 gpu=dev-00");
    }

    @Test
    void aChangeToOneNodeAsksThatNodeAgainAndNoOther() {
        for (int index = 0; index < 50; index++) {
            var node = new NodeName("n%02d".formatted(index));
            inventory = inventory.with(node, List.of(device(node, "d" + index, "model", "A100")));
        }
        var asked = new AtomicInteger();
        Policy counting = new Counting(asked);
        var demand = Demand.of("p", Ask.of("gpu", 1, Filter.EVERY));
        allocator.place(inventory, ledger, demand, counting, Deadline.NONE);
        assertThat(asked).hasValue(50);

        ledger = ledger.with(new NodeName("n07"), Holdings.of(List.of(held("d7", "a"))));
        ledger = ledger.with(new NodeName("n08"), Holdings.EMPTY);
        allocator.place(inventory, ledger, demand, counting, Deadline.NONE);
        assertThat(asked).hasValue(50); // n07 no longer fits, so that it is not ranked; the rest is remembered
        ledger = ledger.with(new NodeName("n07"), Holdings.EMPTY);
        inventory = inventory.with(new NodeName("n99"), identical(new NodeName("n99"), 1));
        allocator.place(inventory, ledger, demand, counting, Deadline.NONE);
        assertThat(asked).hasValue(52);
    }

    @Test
    void packPutsAPartBesideOthersAndKeepsEmptyDevicesEmpty() {
        var devices = IntStream.range(0, 3)
                .mapToObj(index -> device(NODE, "d" + index)
                        .withCapacities(Map.of("cores", Capacity.of(Quantity.of(100))))
                        .inParts())
                .toList();
        inventory = inventory.with(NODE, devices);
        ledger = ledger.with(
                NODE, Holdings.of(List.of(held("d1", "a", new Share.Part(Map.of("cores", Quantity.of(30)))))));
        var half = Choice.of(Filter.EVERY, 1).drawing(new Draw.AtLeast(Map.of("cores", Quantity.of(50))));

        assertThat(told(allocator.place(
                        inventory,
                        ledger,
                        Demand.of("p", Ask.of("one", half), Ask.of("two", half)),
                        new Pack(),
                        Deadline.NONE)))
                .isEqualTo("n1 one=d1{cores=50} two=d0{cores=50}");
    }

    /** Ranks all nodes alike and counts how often it is asked. */
    private record Counting(AtomicInteger asked) implements Policy {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public Rank rank(NodeView node, List<Grant> grants, Demand demand) {
            asked.incrementAndGet();
            return Rank.EQUAL;
        }
    }

    private static Draw memory(int amount) {
        return new Draw.AtLeast(Map.of("memory", Quantity.of(amount)));
    }

    private static Demand together(int least, int most, int memory) {
        var amounts = new TreeMap<String, Quantity>();
        amounts.put("memory", Quantity.of(memory));
        return Demand.of("p", Ask.of("gpu", Choice.of(Filter.EVERY, new Count.Together(least, most, amounts))));
    }

    private String place(Demand demand) {
        return told(allocator.place(inventory, ledger, demand, new Listed(), Deadline.NONE));
    }
}
