package dev.berth.advisor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.advisor.model.Advice.Terms;
import dev.berth.advisor.model.Ema.Estimate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The worked examples of the contract, to the last digit. */
class EmaTest {
    private Ema ema = new Ema(EmaSettings.STANDARD);

    private static EmaSettings cap(double cap) {
        return new EmaSettings(0.3, 0.7, 0.5, 0.15, cap, true, 1000);
    }

    private Advice advise(String jobType, String... candidates) {
        return ema.advise(new Question(jobType, List.of(candidates), List.of()));
    }

    private void observe(String jobType, String gpu, double seconds, String... colocated) {
        ema.observe(new Observation(jobType, gpu, seconds, Arrays.asList(colocated)));
    }

    private Estimate known(String jobType, String gpu) {
        return ema.known(new Pair(jobType, gpu)).orElseThrow();
    }

    private double slowdown(String jobType, String other) {
        return ema.knownSlowdown(jobType, other).orElseThrow();
    }

    @Test
    void informationGrowsWithTheVariance() {
        assertThat(ema.information(0.01)).isEqualTo(0.03226926056878558);
        assertThat(ema.information(0.1)).isEqualTo(0.25541281188299536);
        assertThat(ema.information(1)).isEqualTo(1.01844096363052);
        assertThat(ema.information(4)).isEqualTo(1.6601141595642441);
        assertThat(ema.information(16)).isEqualTo(2.3395200172772737);
        assertThat(ema.information(25)).isEqualTo(2.5609889407158146);
    }

    @Test
    void e1WhenNothingIsKnownTheFirstIsChosen() {
        var advice = advise("train-bert", "A100-80GB", "L4-24GB");

        assertThat(advice.chosen()).isEqualTo("A100-80GB");
        assertThat(advice.priority()).isEqualTo(50.0);
        assertThat(advice.terms()).isEqualTo(new Terms(10, 5, 2.5609889407158146, 0, 9.70730774149893));
    }

    @Test
    void e2TheFastestIsChosenOnceItIsKnown() {
        observe("train-bert", "A100-80GB", 8);
        observe("train-bert", "A100-40GB", 12);

        var advice = advise("train-bert", "A100-80GB", "A100-40GB", "L4-24GB");

        assertThat(advice.chosen()).isEqualTo("A100-80GB");
        assertThat(advice.priority()).isEqualTo(100.0);
        assertThat(advice.terms().mu()).isEqualTo(8);
        assertThat(advice.terms().sigma()).isEqualTo(1);
        assertThat(advice.terms().cost()).isEqualTo(7.587091325458637);
        assertThat(advice.explores()).isFalse();
        assertThat(ema.explorationRatio()).isZero();
    }

    @Test
    void e2bALongJobTriesTheUnknown() {
        observe("train-bert", "A100-80GB", 73.4);

        var advice = advise("train-bert", "A100-80GB", "L4-24GB");

        assertThat(advice.chosen()).isEqualTo("L4-24GB");
        assertThat(advice.priority()).isEqualTo(100.0);
        assertThat(advice.terms().cost()).isEqualTo(9.70730774149893);
    }

    @Test
    void e3AveragesMoveByATenth() {
        observe("j", "g", 10);
        assertThat(known("j", "g")).isEqualTo(new Estimate(10, 1.0, 1));
        observe("j", "g", 12);
        assertThat(known("j", "g")).isEqualTo(new Estimate(10.2, 1.3, 2));
        observe("j", "g", 11);
        assertThat(known("j", "g")).isEqualTo(new Estimate(10.28, 1.2340000000000002, 3));
        observe("j", "g", 30);
        assertThat(known("j", "g")).isEqualTo(new Estimate(12.251999999999999, 39.998439999999995, 4));
    }

    @Test
    void e3bTheVarianceNeverFallsBelowAHundredth() {
        for (int run = 1; run <= 60; run++) {
            observe("j", "g", 5);
            if (run == 44) assertThat(known("j", "g").variance()).isEqualTo(0.01077526366430583);
            if (run >= 45) assertThat(known("j", "g").variance()).isEqualTo(0.01);
        }
    }

    @Test
    void e4NeighboursThatSlowDownAreLearned() {
        observe("A", "G", 10);
        observe("A", "G", 20, "B");
        assertThat(known("A", "G")).isEqualTo(new Estimate(11, 10.9, 2));
        assertThat(slowdown("A", "B")).isEqualTo(0.08181818181818183);
        observe("A", "G", 20, "B");
        assertThat(known("A", "G")).isEqualTo(new Estimate(11.9, 17.91, 3));
        assertThat(slowdown("A", "B")).isEqualTo(0.14170359052711995);

        var one = ema.advise(new Question("A", List.of("G", "H"), List.of("B")));
        assertThat(one.chosen()).isEqualTo("H");
        assertThat(one.priority()).isEqualTo(100.0);
        assertThat(one.terms().penalty()).isEqualTo(0.14170359052711995);
        assertThat(one.terms().cost()).isEqualTo(9.77815953676249);
        assertThat(one.avoid()).containsExactly("B");

        var withStranger = ema.advise(new Question("A", List.of("G", "H"), List.of("B", "C")));
        assertThat(withStranger.terms().penalty()).isEqualTo(0.07085179526355997);
        assertThat(withStranger.terms().cost()).isEqualTo(9.74273363913071);
        assertThat(withStranger.avoid()).containsExactly("B");

        var twice = ema.advise(new Question("A", List.of("G", "H"), List.of("B", "B")));
        assertThat(twice.terms().penalty()).isEqualTo(0.14170359052711995);
        assertThat(twice.avoid()).containsExactly("B", "B");
    }

    @Test
    void e4dAFirstRunBesideAnotherTellsNothing() {
        observe("A", "G", 20, "B");

        assertThat(slowdown("A", "B")).isZero();
        assertThat(known("A", "G")).isEqualTo(new Estimate(20, 1.0, 1));
    }

    @Test
    void e4eANeighbourThatIsThereTwiceCountsTwice() {
        observe("A", "G", 10);
        observe("A", "G", 20, "B", "B");

        assertThat(slowdown("A", "B")).isEqualTo(0.15545454545454548);
    }

    private void learnB() {
        for (int run = 0; run < 60; run++) observe("j", "B", 9.9);
    }

    @Test
    void e5AnExplorationBeyondTheCapIsNotMade() {
        learnB();
        observe("j", "C", 30);

        var advice = advise("j", "A", "B", "C");

        assertThat(advice.chosen()).isEqualTo("B");
        assertThat(advice.priority()).isEqualTo(98.99343081247436);
        assertThat(advice.terms().cost()).isEqualTo(9.90741151760185);
    }

    @Test
    void e5bTheWorstOfTwoHasNoPriority() {
        learnB();
        assertThat(advise("j", "A", "B"))
                .satisfies(advice -> assertThat(advice.chosen()).isEqualTo("B"))
                .satisfies(advice -> assertThat(advice.priority()).isZero());

        ema = new Ema(cap(1));
        learnB();
        assertThat(advise("j", "A", "B"))
                .satisfies(advice -> assertThat(advice.chosen()).isEqualTo("A"))
                .satisfies(advice -> assertThat(advice.priority()).isEqualTo(100.0));
    }

    @Test
    void e5cTheCapHoldsTheRealShareOfExplorations() {
        learnB();
        for (int i = 0; i < 3; i++) {
            assertThat(advise("j", "B").explores()).isFalse();
        }

        assertThat(advise("j", "A", "B").chosen()).isEqualTo("A");
        assertThat(advise("j", "A", "B").chosen()).isEqualTo("B");
        assertThat(ema.explorationRatio()).isEqualTo(0.2);
        for (int i = 0; i < 100; i++) {
            advise("j", "A", "B");
            assertThat(ema.explorationRatio()).isLessThanOrEqualTo(0.25);
        }
    }

    @Test
    void e6TheOldestPairIsForgottenFirst() {
        ema = new Ema(new EmaSettings(0.3, 0.7, 0.5, 0.15, 0.25, true, 2));
        observe("a", "g", 1);
        observe("b", "g", 1);
        observe("c", "g", 1);

        assertThat(ema.known(new Pair("a", "g"))).isEmpty();
        assertThat(ema.known(new Pair("b", "g"))).isPresent();
        assertThat(ema.known(new Pair("c", "g"))).isPresent();
    }

    @Test
    void e8WithoutInterferenceNeighboursDoNotMatter() {
        ema = new Ema(new EmaSettings(0.3, 0.7, 0, 0.15, 0.25, false, 1000));
        observe("A", "G", 10);
        observe("A", "G", 20, "B");

        var advice = ema.advise(new Question("A", List.of("G", "H"), List.of("B")));

        assertThat(advice.chosen()).isEqualTo("H");
        assertThat(advice.terms().penalty()).isZero();
        assertThat(advice.avoid()).isEmpty();
        assertThat(advice.priority()).isEqualTo(99.99999999999999);
    }

    @Test
    void aRunTimeThatIsNoneIsRefused() {
        for (double seconds : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> observe("j", "g", seconds)).hasMessageContaining("positive number of seconds");
        }
    }
}
