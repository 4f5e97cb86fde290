package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final List<Machine> ONE_GPU = List.of(new Machine("n", 10, 10, 1, "T4"));

    private static Task task(String name, long cores, long from, long to) {
        return new Task(name, new Parcel(new Slice(cores, 0), 1, Set.of()), 1, Optional.of(new Task.Span(from, to)));
    }

    @Test
    void whoFindsNoRoomWaitsUntilSomeoneLeaves() {
        var trace = new Trace(ONE_GPU, List.of(task("a", 100, 0, 10), task("b", 100, 4, 9), task("c", 100, 5, 6)));

        var timetable = new Replay(trace, 1).run("best-fit", 1);

        // a runs from 0 to 10, b from 10 to 15, c from 15 to 16.
        assertThat(timetable.waits()).containsExactly(0.0, 6.0, 10.0);
        assertThat(timetable.waited()).isEqualTo(2);
        assertThat(timetable.longestQueue()).isEqualTo(2);
        assertThat(timetable.seconds()).isEqualTo(16);
        assertThat(timetable.allocated()).isEqualTo(1);
    }

    @Test
    void aSmallPodOvertakesALargeOneThatWaits() {
        var trace =
                new Trace(ONE_GPU, List.of(task("a", 60, 0, 10), task("large", 100, 1, 2), task("small", 40, 2, 3)));

        assertThat(new Replay(trace, 1).run("best-fit", 1).waits()).containsExactly(0.0, 0.0, 9.0);
    }

    @Test
    void quickerArrivalsWaitLonger() {
        var trace = new Trace(ONE_GPU, List.of(task("a", 100, 0, 10), task("b", 100, 10, 20)));

        assertThat(new Replay(trace, 1).run("best-fit", 1).meanWait()).isZero();
        assertThat(new Replay(trace, 2).run("best-fit", 1).waits()).containsExactly(0.0, 5.0);
    }

    @Test
    void whatFitsOnNoNodeNeverRuns() {
        var trace = new Trace(ONE_GPU, List.of(task("a", 200, 0, 10), task("b", 100, 1, 2)));

        var timetable = new Replay(trace, 1).run("best-fit", 1);

        assertThat(timetable.never()).isEqualTo(1);
        assertThat(timetable.waits()).containsExactly(0.0);
    }

    @Test
    void theLastToLeaveLeavesAnEmptyClusterWhateverThePolicy() {
        var trace = GeneratedTrace.of(3, 300, 2);
        for (var policy : List.of("fgd", "berth", "random", "gpu-clustering")) {
            var timetable = new Replay(trace, 20_000).run(policy, 1);

            assertThat(timetable.waits().size() + timetable.never()).as(policy).isEqualTo(300);
            assertThat(timetable.waited()).as(policy).isPositive();
        }
    }

    @Test
    void aPodWithoutTimesCannotBeReplayed() {
        var timeless = new Task("x", Parcel.of(new Slice(100, 0)), 1, Optional.empty());

        assertThatThrownBy(() -> new Replay(new Trace(ONE_GPU, List.of(timeless)), 1))
                .hasMessage("pod x has no creation_time and deletion_time");
    }
}
