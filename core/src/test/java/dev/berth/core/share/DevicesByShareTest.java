package dev.berth.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Filter;
import dev.berth.core.policy.DeviceView;
import dev.berth.core.policy.NodeView;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicesByShareTest {
    private static final NodeName EMPTY = new NodeName("a-empty");
    private static final NodeName USED = new NodeName("b-used");

    private final Inventory inventory =
            Inventory.EMPTY.with(EMPTY, devices(EMPTY)).with(USED, devices(USED));

    @ParameterizedTest
    @ValueSource(strings = {"best-fit", "dot-product", "gpu-packing", "gpu-clustering", "fgd", "berth"})
    void theLastDeviceOfANodeIsTakenBeforeAWholeNodeIsBegun(String name) {
        assertThat(place(name, 1, 7)).isEqualTo(USED);
    }

    @Test
    void whatIsOnlyLookedAfterIsNotTaken() {
        var policy = SharePolicies.forDevices("best-fit");
        var device = devices(EMPTY).getFirst();
        var node = new NodeView(EMPTY, List.of(new DeviceView(device, true, Map.of())), 1);
        var demand = Demand.of("p", Ask.of("gpu", 1, Filter.EVERY));

        var held = policy.rank(node, List.of(new Grant("gpu", "", EMPTY, device, Share.WHOLE, false)), demand);
        var lookedAfter = policy.rank(node, List.of(new Grant("gpu", "", EMPTY, device, Share.WHOLE, true)), demand);

        assertThat(held).isLessThan(lookedAfter);
    }

    @Test
    void everyNameIsOneForDevicesToo() {
        assertThat(SharePolicies.names())
                .allSatisfy(name ->
                        assertThat(SharePolicies.forDevices(name).name()).isEqualTo(name));
        assertThatThrownBy(() -> SharePolicies.forDevices("best"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no policy is called 'best'; there are: berth, best-fit, dot-product, fewest-free, fgd,"
                        + " gpu-clustering, gpu-packing, listed, pack, random, spread");
    }

    /** On which node, when so many devices of the second one are held. */
    private NodeName place(String policy, int devices, int held) {
        var ledger = Ledger.EMPTY.with(
                USED,
                Holdings.of(IntStream.range(0, held)
                        .mapToObj(index -> Entry.confirmed(
                                id(index),
                                Holder.pod(Door.CLAIMS, "default", "p" + index, "uid-" + index),
                                Share.WHOLE))
                        .toList()));
        var demand = Demand.of("p", Ask.of("gpu", devices, Filter.EVERY));
        Verdict verdict =
                new Allocator().place(inventory, ledger, demand, SharePolicies.forDevices(policy), Deadline.NONE);
        return ((Placement) verdict).node();
    }

    private static List<Device> devices(NodeName node) {
        return IntStream.range(0, 8)
                .mapToObj(index -> new Device(id(index), node))
                .toList();
    }

    private static DeviceId id(int index) {
        return new DeviceId("gpu-" + index);
    }
}
