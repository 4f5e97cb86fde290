package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RearrangementTest {
    private static final Trace TRACE = GeneratedTrace.of(60, 400, 1);

    private static Task task(String name, int cores, int cpu) {
        return new Task(name, new Parcel(new Slice(cores, 0), cpu, Set.of()), 0, Optional.empty());
    }

    @Test
    void movesStayWithinTheirBudgetAndBetweenWhatWasAndWhatCanBe() {
        for (var policy : List.of("random", "best-fit", "berth")) {
            for (long seed = 0; seed < 3; seed++) {
                var outcome = new Fill(TRACE, 1.3, 0.1).run(policy, seed);
                var moved = outcome.moved().orElseThrow();

                assertThat(moved.moves()).isLessThanOrEqualTo((outcome.placed() - moved.pods()) / 10);
                assertThat(outcome.allocated()).isBetween(moved.before(), moved.atMost());
                assertThat(new Fill(TRACE, 1.3).run(policy, seed).allocated()).isEqualTo(moved.before());
            }
        }
    }

    @Test
    void aClusterThatWasFilledAtRandomGains() {
        var outcome = new Fill(TRACE, 1.3, 0.1).run("random", 1);

        assertThat(outcome.allocated())
                .isGreaterThan(outcome.moved().orElseThrow().before() + 0.02);
    }

    @Test
    void besidePodsThatLeaveGapsNobodyFitsNoMoveHelps() {
        var placed = List.of(task("a", 81, 0), task("b", 81, 0));
        var waiting = List.of(task("c", 100, 0), task("d", 16, 0));

        assertThat(CardBound.of(2, placed, waiting)).isCloseTo(178, Offset.offset(0.5));
        assertThat(CardBound.of(3, placed, waiting)).isCloseTo(278, Offset.offset(0.5));
    }

    /**
     * Small clusters, where the most that can be given out is known: it is never exceeded, and much of the gain is
     * reached.
     */
    @Test
    void onSmallClustersMuchOfWhatIsPossibleIsReachedAndNeverMore() {
        double before = 0;
        double reached = 0;
        double possible = 0;
        for (long seed = 0; seed < 60; seed++) {
            var small = small(seed);
            var outcome = new Fill(small, 1.5, 1).run("random", seed);
            var settlement = new Fill(small, 1.5).settlement("random", seed);
            double exact = ExactRepacking.most(small.machines(), settlement.seated(), settlement.waiting());

            assertThat(outcome.allocated() * small.cores()).as("seed %d", seed).isLessThanOrEqualTo(exact + 1e-6);
            assertThat(outcome.moved().orElseThrow().atMost() * small.cores())
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(exact - 1e-6);
            before += outcome.moved().orElseThrow().before() * small.cores();
            reached += outcome.allocated() * small.cores();
            possible += exact;
        }
        assertThat((reached - before) / (possible - before))
                .as("part of the possible gain")
                .isGreaterThan(0.4);
    }

    private static Trace small(long seed) {
        var chance = new SplittableRandom(seed);
        var machines = new ArrayList<Machine>();
        for (int node = 0; node < 3; node++) {
            machines.add(new Machine("n" + node, 6_000, 0, chance.nextInt(1, 3), "T"));
        }
        var sizes = new int[] {20, 30, 40, 50, 60, 80, 100, 200};
        var tasks = new ArrayList<Task>();
        for (int pod = 0; pod < 12; pod++) {
            tasks.add(task("p" + pod, sizes[chance.nextInt(sizes.length)], chance.nextInt(1, 4) * 1000));
        }
        return new Trace(machines, tasks);
    }
}
