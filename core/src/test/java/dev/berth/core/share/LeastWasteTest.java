package dev.berth.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.core.NodeName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LeastWasteTest {
    private static Workload sizes(Map<Integer, Long> counts) {
        return Workload.typical(
                counts.entrySet().stream()
                        .collect(Collectors.toMap(each -> Parcel.of(new Slice(each.getKey(), 0)), Map.Entry::getValue)),
                1);
    }

    private static GpuNode node(Host host, long... coresLeft) {
        return GpuNode.withCores(new NodeName("n"), host, coresLeft);
    }

    @Test
    void aSizeThatLeavesAGapForNobodyCostsTheWholeGpu() {
        // Nobody fits beside 81, and only one 60 fits on a GPU: what either leaves is worth nothing.
        var prices = new CardPrices(sizes(Map.of(81, 10L, 60, 10L)));

        assertThat(prices.worth(19)).isZero();
        assertThat(prices.worth(40)).isZero();
        assertThat(prices.worth(100)).isEqualTo(1);
    }

    @Test
    void roomThatSomebodyFillsExactlyIsWorthItsPart() {
        var prices = new CardPrices(sizes(Map.of(50, 10L)));

        assertThat(prices.worth(49)).isZero();
        assertThat(prices.worth(50)).isCloseTo(0.5, within(1e-9));
        assertThat(prices.worth(99)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void whatFillsGapsThatThereAreTooManyOfIsCheap() {
        // Ten times as many 19-gaps beside the 81 as there are 15s to fill them.
        var prices = new CardPrices(sizes(Map.of(81, 100L, 15, 10L)));

        assertThat(prices.worth(19)).isLessThan(0.1);
    }

    @Test
    void withoutAWorkloadRoomIsWorthItsSize() {
        var prices = new CardPrices(Workload.UNKNOWN);

        assertThat(prices.worth(30)).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void freeGpusThatTheCpuCannotFeedAreLost() {
        var workload = new Workload(List.of(new Workload.Kind(new Parcel(new Slice(100, 0), 10, Set.of()), 1)));
        var prospects = new Prospects(workload);

        assertThat(prospects.lost(node(new Host("T4", 40, 0, 0), 100, 100, 100, 100)))
                .isCloseTo(0, within(1e-9));
        // CPU for one of four: three quarters of 0.2 of 400 cores.
        assertThat(prospects.lost(node(new Host("T4", 10, 0, 0), 100, 100, 100, 100)))
                .isCloseTo(60, within(1e-9));
        assertThat(prospects.lost(node(new Host("T4", 9, 0, 0), 100, 100, 100, 100)))
                .isCloseTo(400, within(1e-9));
    }

    @Test
    void aSliceGoesWhereItFillsAGapRatherThanWhereItLeavesOne() {
        // 53 left beside a 47; another 47 leaves 6 there, on the device with 60 it would leave 13.
        var policy = new LeastWaste(() -> sizes(Map.of(47, 10L, 53, 5L, 40, 5L)));
        var before = node(Host.UNKNOWN, 60, 53);

        var after = ShareSearch.charged(before, new Slice(53, 0), Host.UNKNOWN, policy)
                .orElseThrow();

        assertThat(after.freeCores(1)).isZero();
    }
}
