package dev.berth.advisor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BayesTest {
    private final Bayes bayes = new Bayes(new SplittableRandom(1), 1000);

    private void observe(String jobType, String gpu, double seconds, String... colocated) {
        bayes.observe(new Observation(jobType, gpu, seconds, Arrays.asList(colocated)));
    }

    private Advice advise(String jobType, List<String> candidates, String... colocated) {
        return bayes.advise(new Question(jobType, candidates, Arrays.asList(colocated)));
    }

    private long timesChosen(String gpu, String jobType, List<String> candidates, String... colocated) {
        long times = 0;
        for (int i = 0; i < 200; i++) {
            if (advise(jobType, candidates, colocated).chosen().equals(gpu)) times++;
        }
        return times;
    }

    @Test
    void whatIsKnownToBeFasterIsChosenAgainAndAgain() {
        for (int i = 0; i < 10; i++) {
            observe("train", "fast", 100);
            observe("train", "slow", 200);
        }

        assertThat(timesChosen("fast", "train", List.of("slow", "fast"))).isGreaterThan(195);
    }

    @Test
    void whatIsUnknownIsTriedNowAndThen() {
        for (int i = 0; i < 10; i++) observe("train", "known", 100);

        assertThat(timesChosen("unknown", "train", List.of("known", "unknown"))).isBetween(20L, 180L);
    }

    @Test
    void aJobThatWasNeverSeenGoesWhereOthersRanFast() {
        for (int i = 0; i < 10; i++) {
            for (var job : List.of("a", "b", "c", "d", "e")) {
                observe(job, "fast", 100 * job.charAt(0));
                observe(job, "slow", 300 * job.charAt(0));
            }
        }

        assertThat(timesChosen("fast", "stranger", List.of("slow", "fast"))).isGreaterThan(180);
    }

    @Test
    void itDoesNotMatterWhetherJobsAreShortOrLong() {
        for (double length : new double[] {0.01, 1, 1_000_000}) {
            var model = new Bayes(new SplittableRandom(1), 1000);
            for (int i = 0; i < 10; i++) {
                model.observe(new Observation("train", "fast", length, List.of()));
                model.observe(new Observation("train", "slow", 2 * length, List.of()));
            }
            var advice = model.advise(new Question("train", List.of("slow", "fast"), List.of()));
            assertThat(advice.chosen()).isEqualTo("fast");
            assertThat(advice.terms().mu()).isBetween(0.9 * length, 1.1 * length);
        }
    }

    @Test
    void aNeighbourThatDisturbsOnOneGpuSendsTheJobToAnother() {
        for (int i = 0; i < 30; i++) {
            observe("train", "left", 100);
            observe("train", "right", 110);
            observe("train", "left", 160, "noisy");
            observe("train", "right", 112, "noisy");
        }

        assertThat(timesChosen("left", "train", List.of("left", "right"))).isGreaterThan(130);
        assertThat(timesChosen("right", "train", List.of("left", "right"), "noisy"))
                .isGreaterThan(130);
        assertThat(advise("train", List.of("left", "right"), "noisy", "quiet").avoid())
                .containsExactly("noisy");
    }

    @Test
    void afterAChangeTheNewTruthIsBelievedSoon() {
        for (int i = 0; i < 100; i++) {
            observe("train", "left", 100);
            observe("train", "right", 130);
        }
        for (int i = 0; i < 3; i++) observe("train", "left", 300);

        assertThat(timesChosen("right", "train", List.of("left", "right"))).isGreaterThan(180);
    }

    @Test
    void theSureChoiceHasTheFullPriorityAndASingleCandidateTheMiddle() {
        for (int i = 0; i < 10; i++) {
            observe("train", "fast", 100);
            observe("train", "slow", 200);
        }

        assertThat(advise("train", List.of("slow", "fast")).priority()).isEqualTo(100);
        assertThat(advise("train", List.of("slow")).priority()).isEqualTo(50);
    }

    @Test
    void whatWasSeenLongestAgoIsForgottenFirst() {
        var small = new RunTimes(2);
        small.observe(new Pair("a", "g"), 1);
        small.observe(new Pair("b", "g"), 1);
        double known = small.posterior(new Pair("a", "g")).runs();
        small.observe(new Pair("c", "g"), 1);

        assertThat(small.posterior(new Pair("a", "g")).runs()).isLessThan(known);
        assertThat(small.posterior(new Pair("c", "g")).runs()).isGreaterThan(1);
    }

    @Test
    void runsThatHaveNothingInCommonStillLeadToNumbers() {
        double blink = Double.MIN_VALUE;
        for (double seconds : new double[] {blink, 1e9, blink, 1e9, 1e9, blink}) {
            observe("wild", "seen", seconds, "x");
        }

        for (int i = 0; i < 200; i++) {
            var advice = advise("wild", List.of("seen", "unseen"), "x");
            var terms = advice.terms();
            assertThat(List.of(advice.priority(), terms.mu(), terms.sigma(), terms.ig(), terms.penalty(), terms.cost()))
                    .allMatch(number -> Double.isFinite(number));
        }
    }
}
