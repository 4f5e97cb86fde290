package dev.berth.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.core.policy.Policy.Rank;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The scores by hand, from the formulas of Weng et al.; a rank is a score turned around. */
class PublishedPoliciesTest {
    private static GpuNode node(long cpu, int guests, long... coresLeft) {
        return GpuNode.withCores(new NodeName("n"), new Host("T4", cpu, 0, guests), coresLeft);
    }

    private static Rank rank(SharePolicy policy, GpuNode before, Slice slice, long cpu) {
        var rest = before.host().charged(cpu, 0, slice.cores());
        return policy.node(
                before, ShareSearch.charged(before, slice, rest, policy).orElseThrow());
    }

    @Test
    void bestFitCountsWhatIsLeftOfCpuAndGpu() {
        // 32 of 128 cores and 4 of 8 GPUs are left: 100 x (1 - 0.125 - 0.25) = 62.5.
        assertThat(rank(new ShareBestFit(), node(40_000, 0, 100, 100, 100, 100, 100), new Slice(100, 0), 8_000))
                .isEqualTo(new Rank(-62, 0));
    }

    @Test
    void dotProductAvoidsNodesThatHaveMostOfWhatIsAskedFor() {
        // 64 of 128 cores and 4 of 8 GPUs are free, 32 cores and 1 GPU asked for:
        // 100 x (1 - (0.5 x 0.25 + 0.5 x 0.125) / 2) = 90.6.
        assertThat(rank(new ShareDotProduct(), node(64_000, 0, 100, 100, 100, 100), new Slice(100, 0), 32_000))
                .isEqualTo(new Rank(-90, 0));
    }

    @Test
    void packingTakesAStartedGpuThenAFreeOneThenAFreeNode() {
        var policy = new GpuPacking();

        assertThat(rank(policy, node(0, 0, 60, 100), new Slice(50, 0), 0)).isEqualTo(new Rank(-94, 0));
        assertThat(rank(policy, node(0, 0, 40, 100), new Slice(50, 0), 0)).isEqualTo(new Rank(-49, 0));
        assertThat(rank(policy, node(0, 0, 0, 100, 100), new Slice(200, 0), 0)).isEqualTo(new Rank(-48, 0));
        assertThat(rank(policy, node(0, 0, 100, 100), new Slice(50, 0), 0)).isEqualTo(new Rank(-31, 0));
        assertThat(rank(policy, node(9, 0, 100, 100), new Slice(0, 0), 5).major())
                .isZero();
    }

    @Test
    void clusteringKeepsKindsTogether() {
        var policy = new GpuClustering();
        int sharing = Host.kind(50);
        int whole = Host.kind(100);

        // 4 of 8 GPUs are not free: half of 25 on top of each class, rounded down.
        assertThat(rank(policy, node(0, sharing, 50, 100, 100, 100), new Slice(50, 0), 0)
                        .major())
                .isLessThanOrEqualTo(-75);
        assertThat(rank(policy, node(0, whole, 100, 100, 100, 100), new Slice(100, 0), 0))
                .isEqualTo(new Rank(-87, 0));
        assertThat(rank(policy, node(0, whole | sharing, 100, 100, 100, 100), new Slice(100, 0), 0))
                .isEqualTo(new Rank(-62, 0));
        assertThat(rank(policy, node(0, 0, 100, 100, 100, 100), new Slice(100, 0), 0))
                .isEqualTo(new Rank(-37, 0));
        assertThat(rank(policy, node(0, sharing, 100, 100, 100, 100), new Slice(100, 0), 0))
                .isEqualTo(new Rank(-12, 0));
    }

    @Test
    void clusteringReadsTheGuestsFromTheDevicesWhereNobodyNamesThem() {
        var shared = GpuNode.withCores(new NodeName("n"), Host.UNKNOWN, new long[] {50, 100});

        assertThat(rank(new GpuClustering(), shared, new Slice(50, 0), 0).major())
                .isLessThan(-75);
    }

    @Test
    void aSharingPodGetsTheFullestDeviceThatHasRoom() {
        for (var policy :
                new SharePolicy[] {new ShareBestFit(), new ShareDotProduct(), new GpuPacking(), new GpuClustering()}) {
            var after = ShareSearch.charged(node(0, 0, 100, 30, 60), new Slice(50, 0), Host.UNKNOWN, policy)
                    .orElseThrow();

            assertThat(after.freeCores(2)).as(policy.name()).isEqualTo(10);
        }
    }

    @Test
    void randomTakesAnyDeviceWithRoom() {
        var lots = new double[] {0.9, 0.1, 0.5};
        int[] drawn = {0};
        var policy = new ShareRandom(() -> lots[drawn[0]++]);

        var after = ShareSearch.charged(node(0, 0, 100, 100, 100), new Slice(50, 0), Host.UNKNOWN, policy)
                .orElseThrow();

        assertThat(after.freeCores(1)).isEqualTo(50);
    }

    @Test
    void aParcelForSomeModelsSuitsThoseAlone() {
        var parcel = new Parcel(new Slice(50, 0), 0, Set.of("T4", "A10"));

        assertThat(parcel.suits("A10")).isTrue();
        assertThat(parcel.suits("P100")).isFalse();
        assertThat(Parcel.of(new Slice(50, 0)).suits("P100")).isTrue();
    }
}
