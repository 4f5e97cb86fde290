package dev.berth.advisor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BeliefTest {
    private static void learn(Model model, String gpu, double seconds) {
        for (int run = 0; run < 10; run++) model.observe(new Observation("bert", gpu, seconds, List.of()));
    }

    @Test
    void whatWasSeenOftenIsBelievedWithinNarrowBounds() {
        var model = new Bayes(new SplittableRandom(1), 100);
        learn(model, "T4", 240);
        learn(model, "A100", 60);

        var beliefs = model.beliefs();

        assertThat(beliefs).extracting(Belief::gpuType).containsExactly("A100", "T4");
        assertThat(beliefs.getFirst().centre()).isCloseTo(60, within(6.0));
        assertThat(beliefs.getFirst().runs()).isCloseTo(10, within(0.5));
        assertThat(beliefs.getFirst().low()).isBetween(30.0, 60.0);
        assertThat(beliefs.getFirst().high()).isBetween(60.0, 120.0);
    }

    @Test
    void movingAveragesAreBeliefsInSeconds() {
        var model = new Ema(EmaSettings.STANDARD);
        learn(model, "A100", 60);

        var belief = model.beliefs().getFirst();

        assertThat(belief.centre()).isCloseTo(60, within(1e-9));
        assertThat(belief.logarithmic()).isFalse();
        assertThat(belief.low()).isLessThan(60).isGreaterThan(0);
    }

    @Test
    void whatWasNeverSeenIsNotBelieved() {
        assertThat(new Bayes(new SplittableRandom(1), 100).beliefs()).isEmpty();
    }
}
