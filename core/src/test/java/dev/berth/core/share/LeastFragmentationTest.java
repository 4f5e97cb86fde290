package dev.berth.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.core.policy.Policy.Rank;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** By hand: half of the slices are 50 cores and one block, half are whole GPUs; devices have 100 cores and 4 blocks. */
class LeastFragmentationTest {
    private static final Slice HALF = new Slice(50, 1);
    private static final Slice GPU = new Slice(100, 0);
    private static final Workload TYPICAL = Workload.seen(Map.of(HALF, 10L, GPU, 10L));
    private static final LeastFragmentation POLICY = new LeastFragmentation(TYPICAL);

    private static GpuNode node(String name, long... used) {
        var node = GpuNode.empty(new NodeName(name), new GpuCapacity(100L * used.length, 4L * used.length));
        for (int device = 0; device < used.length; device++) {
            if (used[device] > 0) {
                node = node.charged(device, Held.part(new Slice(used[device], 1)));
            }
        }
        return node;
    }

    @Test
    void anEmptyNodeHasNoFragments() {
        assertThat(LeastFragmentation.fragmentation(node("n", 0, 0), TYPICAL)).isZero();
    }

    @Test
    void whatIsLeftOfAStartedGpuIsAFragmentToWhoeverWantsAWholeOne() {
        // 70 and 100 left: the half fits on both; to the whole GPU the 70 are of no use: 0.5 x 70.
        assertThat(LeastFragmentation.fragmentation(node("n", 30, 0), TYPICAL)).isEqualTo(35);
    }

    @Test
    void whereASliceDoesNotFitAtAllEverythingLeftIsAFragmentToIt() {
        // 70 and 80 left: the half fits on both; no whole GPU: 0.5 x 150.
        assertThat(LeastFragmentation.fragmentation(node("n", 30, 20), TYPICAL)).isEqualTo(75);
    }

    @Test
    void memoryMakesFragmentsToo() {
        // 90 cores left but no memory: of no use to either.
        var node = GpuNode.empty(new NodeName("n"), new GpuCapacity(100, 4)).charged(0, Held.part(new Slice(10, 4)));

        assertThat(LeastFragmentation.fragmentation(node, TYPICAL)).isEqualTo(90);
    }

    @Test
    void aSliceGoesWhereTheFragmentsGrowLeast() {
        var slice = ShareDemand.of(new Slice(30, 1));
        var empty = node("empty", 0, 0);
        var started = node("started", 40, 0);
        // empty: 0 -> 35. started: 0.5 x 60 = 30 before; 30 left is of no use to either, so 30 after.
        assertThat(increase(empty, slice)).isEqualTo(35);
        assertThat(increase(started, slice)).isZero();
    }

    @Test
    void theGrowthIsAScoreFromZeroToAHundredAsPublished() {
        var empty = node("empty", 0, 0);
        var after = ShareSearch.place(empty, ShareDemand.of(new Slice(30, 1)), POLICY)
                .orElseThrow()
                .after();

        // It grows by 0.35 GPUs: 100 x sigmoid(-0.35) = 41.3.
        assertThat(POLICY.node(empty, after)).isEqualTo(new Rank(-41, 0));
    }

    @Test
    void withoutTheCpuForItWhatIsFreeIsAFragment() {
        var hungry = new Workload(List.of(new Workload.Kind(new Parcel(HALF, 8_000, Set.of()), 1)));
        var host = new Host("T4", 8_000, 0, 0);

        assertThat(LeastFragmentation.fragmentation(node("n", 0, 0).on(host), hungry))
                .isZero();
        assertThat(LeastFragmentation.fragmentation(node("n", 0, 0).on(host.charged(1, 0, 0)), hungry))
                .isEqualTo(200);
    }

    @Test
    void toPodsThatWantAnotherModelOrNoGpuAllThatIsFreeIsAFragment() {
        var picky = new Workload(List.of(
                new Workload.Kind(new Parcel(HALF, 0, Set.of("A10")), 0.5),
                new Workload.Kind(new Parcel(new Slice(0, 0), 1, Set.of()), 0.25),
                new Workload.Kind(HALF, 0.25)));

        assertThat(LeastFragmentation.fragmentation(node("n", 0, 0).on(new Host("T4", 8_000, 0, 0)), picky))
                .isEqualTo(150);
    }

    @Test
    void onANodeTheDeviceWithTheFewestFragmentsAfterwardsIsTaken() {
        // On device 0 (60 left) 30 are left over for nobody: F = 0.5 x (30 + 80) + 0.5 x 30 = 70.
        // On device 1 (80 left) 50 are left, still good for a half: F = 0.5 x (60 + 50) = 55. Pack would take device 0.
        var node = node("n", 40, 20);

        assertThat(ShareSearch.place(node, ShareDemand.of(new Slice(30, 1)), POLICY)
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(1));
        assertThat(ShareSearch.place(node, ShareDemand.of(new Slice(30, 1)), new SharePack())
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(0));
    }

    @Test
    void theWorkloadIsLearnedFromWhatIsSeen() {
        var memory = new Workload.Memory();
        assertThat(memory.workload()).isEqualTo(Workload.UNKNOWN);

        memory.saw(HALF);
        memory.saw(HALF);
        memory.saw(HALF);
        memory.saw(GPU);

        assertThat(memory.workload().kinds())
                .containsExactly(new Workload.Kind(HALF, 0.75), new Workload.Kind(GPU, 0.25));
    }

    @Test
    void withoutAWorkloadItPacks() {
        var policy = new LeastFragmentation(Workload.UNKNOWN);

        assertThat(ShareSearch.place(node("n", 0, 20), ShareDemand.of(new Slice(30, 1)), policy)
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(1));
    }

    private static double increase(GpuNode node, ShareDemand demand) {
        var after = ShareSearch.place(node, demand, POLICY).orElseThrow().after();
        return LeastFragmentation.fragmentation(after, TYPICAL) - LeastFragmentation.fragmentation(node, TYPICAL);
    }
}
