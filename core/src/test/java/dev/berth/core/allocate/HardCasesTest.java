package dev.berth.core.allocate;

import static dev.berth.core.allocate.Devices.NODE;
import static dev.berth.core.allocate.Devices.device;
import static dev.berth.core.allocate.Devices.identical;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.Quantity;
import dev.berth.core.Shelf;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Filter;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.policy.Listed;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Questions on which a plain search runs for hours. The clock ticks once in 256 steps, so that steps are counted. */
class HardCasesTest {
    private static final int TICKS = 200;

    @Test
    void manyAsksThatMustAgreeOnAnAttributeThatIsOneShort() {
        // Four NUMA nodes with seven devices each, and eight asks that must agree.
        var devices = IntStream.range(0, 28)
                .mapToObj(index -> device(NODE, "d%02d".formatted(index), "numa", "" + index % 4))
                .toList();

        assertThat(place(devices, asks(8), Constraint.same("numa"))).isInstanceOf(Refusal.class);
        assertThat(place(devices, asks(7), Constraint.same("numa"))).isInstanceOf(Placement.class);
    }

    @Test
    void twoConstraintsThatContradictEachOtherOnEveryPair() {
        // Each pair of devices agrees in one attribute at most.
        var devices = IntStream.range(0, 36)
                .mapToObj(index ->
                        device(NODE, "d%02d".formatted(index), "row", "" + index / 6, "column", "" + index % 6))
                .toList();

        assertThat(place(devices, asks(2), Constraint.same("row"), Constraint.same("column")))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void fortyAsksForThirtyNineIdenticalDevices() {
        assertThat(place(identical(NODE, 39), asks(40))).isInstanceOf(Refusal.class);
        assertThat(place(identical(NODE, 40), asks(40))).isInstanceOf(Placement.class);
    }

    @Test
    void onePartitionMoreThanEightCardsHave() {
        assertThat(partitions(56)).isInstanceOf(Placement.class);
        assertThat(partitions(57)).isInstanceOf(Refusal.class);
    }

    @Test
    void asksThatMustAllDifferWithOneValueTooFew() {
        var devices = IntStream.range(0, 60)
                .mapToObj(index -> device(NODE, "d%02d".formatted(index), "card", "" + index % 9))
                .toList();

        assertThat(place(devices, asks(10), Constraint.distinct("card"))).isInstanceOf(Refusal.class);
        assertThat(place(devices, asks(9), Constraint.distinct("card"))).isInstanceOf(Placement.class);
    }

    private static Verdict partitions(int wanted) {
        var devices = new ArrayList<Device>();
        var counters = new HashMap<Counter, Quantity>();
        for (int card = 0; card < 8; card++) {
            var memory = new Counter("card-" + card, "memory");
            counters.put(memory, Quantity.of(8));
            for (int slice = 0; slice < 8; slice++) {
                counters.put(new Counter("card-" + card, "slice-" + slice), Quantity.of(1));
            }
            devices.add(device(NODE, "gpu-%d".formatted(card)).drawing(Map.of(memory, Quantity.of(8))));
            for (int start = 0; start < 7; start++) {
                devices.add(device(NODE, "gpu-%d-1g-%d".formatted(card, start), "profile", "1g")
                        .drawing(Map.of(
                                memory,
                                Quantity.of(1),
                                new Counter("card-" + card, "slice-" + start),
                                Quantity.of(1))));
            }
        }
        var demand = Demand.of("p", Ask.of("mig", wanted, new Devices.Having("profile", "1g")));
        return place(new Shelf(NODE, devices, counters), demand);
    }

    private static List<Ask> asks(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> Ask.of("a%02d".formatted(index), 1, Filter.EVERY))
                .toList();
    }

    private static Verdict place(List<Device> devices, List<Ask> asks, Constraint... constraints) {
        return place(new Shelf(NODE, devices), new Demand("p", asks, List.of(constraints), NodeFit.ANY));
    }

    private static Verdict place(Shelf shelf, Demand demand) {
        var clock = new AtomicLong();
        var verdict = new Allocator()
                .place(
                        Inventory.EMPTY.with(shelf),
                        Ledger.EMPTY,
                        demand,
                        new Listed(),
                        Deadline.within(Duration.ofNanos(4 * TICKS), clock::incrementAndGet));
        assertThat(verdict instanceof Refusal refusal && refusal.outOfTime())
                .as("ran out of time")
                .isFalse();
        return verdict;
    }
}
