package dev.berth.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShareSearchTest {
    private static final SharePolicy PACK = new SharePack();

    private static GpuNode node(long cores, long memory) {
        return GpuNode.empty(new NodeName("n"), new GpuCapacity(cores, memory));
    }

    private static Slice slice(long cores, long memory) {
        return new Slice(cores, memory);
    }

    @Test
    void aShareGoesToTheBusiestDeviceThatHasRoomForCoresAndMemory() {
        var node = node(300, 12).charged(1, Held.part(slice(30, 4))).charged(2, Held.part(slice(20, 1)));

        assertThat(ShareSearch.place(node, ShareDemand.of(slice(70, 0)), PACK)
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(1));
        assertThat(ShareSearch.place(node, ShareDemand.of(slice(70, 1)), PACK)
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(2));
    }

    @Test
    void wholeGpusAreTakenInTheirOrderAndOnlyUntouchedOnes() {
        var node = node(400, 16).charged(0, Held.part(slice(0, 1)));

        assertThat(ShareSearch.place(node, ShareDemand.of(slice(200, 0)), PACK)
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(1, 2));
        assertThat(ShareSearch.place(node, ShareDemand.of(slice(400, 0)), PACK)).isEmpty();
    }

    @Test
    void whatIsOverAMultipleOfAHundredIsNotGivenOut() {
        assertThat(ShareSearch.place(node(400, 16), ShareDemand.of(slice(250, 0)), PACK)
                        .orElseThrow()
                        .held())
                .hasSize(2);
    }

    @Test
    void containersAreNeverMovedForLaterOnes() {
        var demand = ShareDemand.of(slice(40, 1), slice(50, 1), slice(60, 1), slice(50, 1));

        assertThat(ShareSearch.place(node(200, 8), demand, PACK)).isEmpty();
    }

    @Test
    void twoContainersOnOneDeviceHoldTheirSum() {
        var placement = ShareSearch.place(node(100, 4), ShareDemand.of(slice(50, 1), slice(50, 2)), PACK)
                .orElseThrow();

        assertThat(placement.held()).containsExactly(Map.entry(0, new Held(false, 100, 3)));
        assertThat(placement.after().freeCores()).isZero();
        assertThat(placement.after().freeMemory()).isEqualTo(1);
    }

    @Test
    void anInitContainerUsesWhatItsPodHoldsLater() {
        var demand = new ShareDemand(List.of(slice(50, 2)), List.of(), List.of(slice(40, 1)));

        var placement = ShareSearch.place(node(100, 4), demand, PACK).orElseThrow();

        assertThat(placement.preparing()).containsExactly(List.of(0));
        assertThat(placement.held()).containsExactly(Map.entry(0, new Held(false, 50, 2)));
    }

    @Test
    void anInitContainerThatNeedsMoreThanItsPodMakesThePodHoldMore() {
        var demand = new ShareDemand(List.of(slice(50, 1)), List.of(), List.of(slice(80, 2)));

        var placement = ShareSearch.place(node(100, 4), demand, PACK).orElseThrow();

        assertThat(placement.held()).containsExactly(Map.entry(0, new Held(false, 80, 2)));
        assertThat(placement.after().freeCores(0)).isEqualTo(20);
    }

    @Test
    void aSidecarRunsBesideBothSoThatItAddsUp() {
        var demand = new ShareDemand(List.of(slice(50, 1)), List.of(slice(20, 1)), List.of(slice(60, 1)));

        var placement = ShareSearch.place(node(100, 4), demand, PACK).orElseThrow();

        assertThat(placement.held()).containsExactly(Map.entry(0, new Held(false, 80, 2)));
        assertThat(demand.cores()).isEqualTo(80);
    }

    @Test
    void aNodeWithLessThanOneGpuHasNone() {
        assertThat(node(99, 4).devices()).isZero();
        assertThat(ShareSearch.place(node(99, 4), ShareDemand.of(slice(10, 1)), PACK))
                .isEmpty();
    }

    @Test
    void whatDoesNotDivideEvenlyCountsForTheNodeAndForNoDevice() {
        var node = node(250, 9);

        assertThat(node.devices()).isEqualTo(2);
        assertThat(node.freeMemory(0)).isEqualTo(4);
        assertThat(node.freeMemory()).isEqualTo(9);
    }

    @Test
    void spreadTakesTheEmptiestDevice() {
        var node = node(200, 8).charged(0, Held.part(slice(10, 1)));

        assertThat(ShareSearch.place(node, ShareDemand.of(slice(20, 1)), new ShareSpread())
                        .orElseThrow()
                        .containers())
                .containsExactly(List.of(1));
    }

    @Test
    void whatNobodyNamedIsChargedWhereAnAgentWouldPutIt() {
        var node = node(200, 8).charged(1, Held.part(slice(30, 1)));

        assertThat(node.chargedSomewhere(slice(50, 1)).freeCores(1)).isEqualTo(20);
        assertThat(node.chargedSomewhere(slice(100, 0)).freeCores(0)).isZero();
        assertThat(node.chargedSomewhere(slice(90, 4)).freeCores(0)).isEqualTo(10);
    }

    @Test
    void everyPolicyIsKnownByItsName() {
        for (var name : SharePolicies.names()) {
            var policy = SharePolicies.named(name, () -> Workload.UNKNOWN);
            assertThat(policy.name()).isEqualTo(name);
            assertThat(ShareSearch.place(node(200, 8), ShareDemand.of(slice(20, 1)), policy))
                    .isPresent();
        }
        assertThat(SharePolicies.names()).contains("pack", "spread", "fgd", "random");
    }
}
