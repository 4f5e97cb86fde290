package dev.berth.advisor.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ContestTest {
    private static final List<Long> SEEDS =
            LongStream.rangeClosed(1, 20).boxed().toList();

    @Test
    void onTheTypicalWorkloadBayesBeatsEveryOtherWithConfidence() {
        var contest = Contest.of(Scenario.all().getFirst(), SEEDS);

        assertThat(contest.trials()).containsOnlyKeys("bayes", "ema", "greedy", "round-robin", "random");
        for (var other : List.of("ema", "greedy", "round-robin", "random")) {
            assertThat(contest.longerThan("bayes", other).low()).as(other).isPositive();
        }
    }

    @Test
    void whereTheTruthIsTreacherousGreedyIsBetterThanBayes() {
        var treacherous = Scenario.all().getLast();

        var contest = Contest.of(treacherous, SEEDS);

        assertThat(contest.longerThan("bayes", "greedy").high()).isNegative();
        assertThat(contest.lost("bayes")).isGreaterThan(0.25);
    }

    @Test
    void aContestIsTheSameEachTime() {
        var scenario = Scenario.all().get(2);
        var seeds = List.of(1L, 2L);

        assertThat(Contest.of(scenario, seeds)).isEqualTo(Contest.of(scenario, seeds));
    }

    @Test
    void thePlotHasALineForEachModel() {
        var svg = Contest.of(Scenario.all().get(2), List.of(1L, 2L)).plot().svg();

        assertThat(svg.split("<polyline")).hasSize(6);
        assertThat(svg).contains(">bayes</text>").contains(">round-robin</text>");
    }

    @Test
    void anIntervalIsAsWideAsStudentSays() {
        var interval = Interval.of(List.of(1.0, 2.0, 3.0));

        assertThat(interval.mean()).isEqualTo(2);
        // The quantile for two degrees of freedom, times the deviation 1, by the root of three.
        assertThat(interval.high() - interval.mean()).isCloseTo(4.303 / Math.sqrt(3), Offset.offset(1e-9));
    }
}
