package dev.berth.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.demo.Day.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DayTest {
    private static final Duration LENGTH = Duration.ofHours(4);
    private static final List<String> NODES = List.of("n0", "n1", "n2", "n3");

    @Test
    void theSameSeedIsTheSameDayAndAnotherIsAnother() {
        assertThat(day(1)).isEqualTo(day(1)).isNotEqualTo(day(2));
    }

    @Test
    void everyThingThatADayHasHappensInOrderAndBeforeItsEnd() {
        var moments = day(3).moments();

        assertThat(moments).isSortedAccordingTo(Comparator.comparing(Moment::at));
        assertThat(moments).allMatch(moment -> moment.at().compareTo(LENGTH) < 0);
        for (var kind : List.of(
                Scene.Arrival.class,
                Scene.NodeFails.class,
                Scene.NodeReturns.class,
                Scene.Quota.class,
                Scene.Drain.class,
                Scene.Reopen.class)) {
            assertThat(moments).extracting(Moment::scene).hasAtLeastOneElementOfType(kind);
        }
    }

    @Test
    void moreWholeNodesAreWantedThanThereAre() {
        assertThat(day(4).moments())
                .extracting(Moment::scene)
                .filteredOn(scene -> scene instanceof Scene.Arrival arrival && arrival.amount() == 8)
                .hasSize(NODES.size() + 1);
    }

    private static Day day(long seed) {
        return Day.of(seed, LENGTH, NODES, 8);
    }
}
