package dev.berth.core.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoomFinderTest {
    private static final long EFFORT = 1_000_000;

    private static Optional<MovePlan> find(Layout layout, Need need, int most) {
        return new RoomFinder(layout, new BitSet(), RoomFinder.Care.EVERYTHING).find(need, most, EFFORT);
    }

    @Test
    void aPodThatHasRoomNeedsNoMove() {
        var layout = Layouts.of(4, 1);

        assertThat(find(layout, Layouts.need(layout, 50), 2)).hasValueSatisfying(plan -> {
            assertThat(plan.moves()).isEmpty();
            assertThat(plan.spot()).isEqualTo(new Spot(0, List.of(List.of(0))));
        });
    }

    @Test
    void twoHalvesAreMovedTogetherForAWholeGpu() {
        var layout = Layouts.of(4, 1, 1);
        int first = Layouts.pod(layout, "first", 50, 0, 0);
        Layouts.pod(layout, "second", 50, 1, 0);

        assertThat(find(layout, Layouts.need(layout, 100), 2)).hasValueSatisfying(plan -> {
            assertThat(plan.moves())
                    .containsExactly(
                            new Move(first, new Spot(0, List.of(List.of(0))), new Spot(1, List.of(List.of(0)))));
            assertThat(plan.spot().node()).isZero();
            assertThat(plan.fewest()).isTrue();
        });
    }

    @Test
    void aPodMovesToAnotherGpuOfItsNode() {
        var layout = Layouts.of(4, 2);
        Layouts.pod(layout, "first", 40, 0, 0);
        Layouts.pod(layout, "second", 40, 0, 1);

        assertThat(find(layout, Layouts.need(layout, 100), 1))
                .hasValueSatisfying(plan -> assertThat(plan.moves()).hasSize(1));
    }

    @Test
    void aPodWithoutGpusMakesWayWhereCpuIsShort() {
        var layout = Layouts.of(2, 1, 0);
        int idle = layout.add(Tenant.movable("idle", Layouts.need(layout, 0, 2)), new Spot(0, List.of()));

        assertThat(find(layout, Layouts.need(layout, 100), 1))
                .hasValueSatisfying(plan -> assertThat(plan.moves())
                        .containsExactly(new Move(idle, new Spot(0, List.of()), new Spot(1, List.of()))));
    }

    @Test
    void aChainIsMadeFromItsEnd() {
        var layout = Layouts.of(4, 1, 1, 1);
        // Only n0 suits the pod that waits; who is there fits beside the third only once the second has gone.
        int first = Layouts.pod(layout, "first", 60, 0, 0);
        int second = Layouts.pod(layout, "second", 50, 1, 0);
        Layouts.pod(layout, "third", 50, 2, 0);
        var only = new Need(Layouts.need(layout, 100).slices(), Amounts.of(1000, 0), NodeSet.of(3, node -> node == 0));

        assertThat(find(layout, only, 2))
                .hasValueSatisfying(plan ->
                        assertThat(plan.moves()).extracting(Move::tenant).containsExactly(second, first));
    }

    @Test
    void whoStaysIsNotMoved() {
        var layout = Layouts.of(4, 1, 1);
        Layouts.fixed(layout, "first", 50, 0, 0);
        Layouts.fixed(layout, "second", 50, 1, 0);

        assertThat(find(layout, Layouts.need(layout, 100), 3)).isEmpty();
    }

    @Test
    void whatIsNotFoundLeavesEverybodyWhereTheyAre() {
        var layout = Layouts.of(4, 1, 1);
        int first = Layouts.pod(layout, "first", 60, 0, 0);
        int second = Layouts.pod(layout, "second", 60, 1, 0);

        assertThat(find(layout, Layouts.need(layout, 100), 3)).isEmpty();
        assertThat(List.of(layout.spot(first).node(), layout.spot(second).node()))
                .containsExactly(0, 1);
    }

    @Test
    void aSearchThatIsCutShortSaysSo() {
        var layout = Layouts.of(4, 1, 1);
        Layouts.pod(layout, "first", 60, 0, 0);
        Layouts.pod(layout, "second", 60, 1, 0);
        var finder = new RoomFinder(layout, new BitSet(), RoomFinder.Care.EVERYTHING);

        assertThat(finder.find(Layouts.need(layout, 100), 1, 1)).isEmpty();
        assertThat(finder.exhaustive()).isFalse();
    }

    @Test
    void onANodeWithVeryManyPodsFewerMovesAreNotRuledOut() {
        var layout = Layouts.of(100, 1, 2);
        for (int pod = 0; pod < 30; pod++) {
            Layouts.pod(layout, "small-" + pod, 1, 0, 0);
        }
        int last = Layouts.pod(layout, "large", 60, 0, 0);
        var only = new Need(Layouts.need(layout, 60).slices(), Amounts.of(1000, 0), NodeSet.of(2, node -> node == 0));

        assertThat(find(layout, only, 1)).isEmpty();
        assertThat(layout.spot(last).node()).isZero();
        var finder = new RoomFinder(layout, new BitSet(), RoomFinder.Care.EVERYTHING);
        assertThat(finder.find(only, 1, EFFORT)).isEmpty();
        assertThat(finder.exhaustive()).isFalse();
    }
}
