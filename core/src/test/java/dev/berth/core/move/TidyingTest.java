package dev.berth.core.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.share.Fragments;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class TidyingTest {
    private static final Fragments WHOLE_ONES =
            new Fragments(new Workload(List.of(new Workload.Kind(new Slice(100, 0), 1))));

    @Test
    void halvesAreMovedTogetherWhereWholeGpusAreWanted() {
        var layout = Layouts.of(4, 1, 1);
        Layouts.pod(layout, "first", 50, 0, 0);
        Layouts.pod(layout, "second", 50, 1, 0);
        assertThat(Figures.of(layout, WHOLE_ONES)).isEqualTo(new Figures(2, 1, 1, 0));

        assertThat(new Tidying(layout, WHOLE_ONES).moves(5)).hasSize(1);
        assertThat(Figures.of(layout, WHOLE_ONES)).isEqualTo(new Figures(2, 1, 0, 1));
    }

    @Test
    void nothingIsMovedWhereNothingIsGained() {
        var layout = Layouts.of(4, 2);
        Layouts.pod(layout, "first", 50, 0, 0);

        assertThat(new Tidying(layout, WHOLE_ONES).moves(5)).isEmpty();
    }

    @Test
    void whoStaysIsNotMoved() {
        var layout = Layouts.of(4, 1, 1);
        Layouts.fixed(layout, "first", 50, 0, 0);
        Layouts.fixed(layout, "second", 50, 1, 0);

        assertThat(new Tidying(layout, WHOLE_ONES).moves(5)).isEmpty();
    }

    @Test
    void eachMoveLowersFragmentationAndFindsItsRoom() {
        for (long seed = 0; seed < 500; seed++) {
            var start = Layouts.random(seed).layout();
            var workload = new Fragments(Figures.typical(start, List.of()));
            var moves = new Tidying(new Layout(start), workload).moves(3);
            double before = Figures.of(start, workload).fragmented();
            for (var move : moves) {
                var need = start.tenant(move.tenant()).need();
                assertThat(start.lift(move.tenant())).as("seed %d", seed).isEqualTo(move.from());
                assertThat(start.fits(need, move.to())).as("seed %d", seed).isTrue();
                start.put(move.tenant(), move.to());
                double after = Figures.of(start, workload).fragmented();
                assertThat(after).as("seed %d", seed).isLessThan(before);
                before = after;
            }
        }
    }
}
