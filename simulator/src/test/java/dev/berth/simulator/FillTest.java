package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On a made trace with the statistics of a production cluster, a tenth of its size. */
class FillTest {
    private static final Trace TRACE = GeneratedTrace.of(120, 800, 1);
    private static final Fill FILL = new Fill(TRACE, 1.3);

    private static double mean(String policy) {
        return IntStream.range(0, 3)
                .mapToDouble(seed -> FILL.run(policy, seed).allocated())
                .average()
                .orElseThrow();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        assertThat(FILL.run("fgd", 7).looks()).isEqualTo(FILL.run("fgd", 7).looks());
        assertThat(FILL.run("random", 7).looks())
                .isEqualTo(FILL.run("random", 7).looks());
        assertThat(FILL.run("fgd", 7).looks()).isNotEqualTo(FILL.run("fgd", 8).looks());
    }

    @Test
    void leastWasteHandsOutMoreThanLeastFragmentationThatMoreThanBestFitAndThatMoreThanChance() {
        double random = mean("random");
        double bestFit = mean("best-fit");
        double leastFragmentation = mean("fgd");
        double leastWaste = mean("berth");

        assertThat(leastWaste).isGreaterThan(leastFragmentation);
        assertThat(leastFragmentation).isGreaterThan(bestFit + 0.005);
        assertThat(bestFit).isGreaterThan(random + 0.02);
    }

    @Test
    void whatIsGivenOutWaitsOrIsFreeAddsUp() {
        var outcome = FILL.run("best-fit", 3);
        var arriving = Arrivals.upTo((long) (1.3 * TRACE.cores()), TRACE.tasks(), 3);

        assertThat(outcome.placed() + outcome.waiting()).isEqualTo(arriving.size());
        assertThat(outcome.reasons().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(outcome.waiting());
        assertThat(outcome.looks().getLast().asked()).isCloseTo(1.3, within(0.05));
        assertThat(outcome.looks().getLast().allocated()).isEqualTo(outcome.allocated());
    }

    @Test
    void neverMoreArrivesThanWasAskedFor() {
        for (var most : List.of(100L, 5_000L, 90_000L)) {
            var asked = Arrivals.upTo(most, TRACE.tasks(), 1).stream()
                    .mapToLong(Task::cores)
                    .sum();

            assertThat(asked).isLessThanOrEqualTo(most).isGreaterThan(most - 800);
        }
    }

    @Test
    void neighbouringSeedsAreUnrelated() {
        var first = Arrivals.order(TRACE.machines(), 42);
        var second = Arrivals.order(TRACE.machines(), 43);

        long same = IntStream.range(0, first.size())
                .filter(place -> first.get(place).equals(second.get(place)))
                .count();
        assertThat(same).isLessThan(10);
    }
}
