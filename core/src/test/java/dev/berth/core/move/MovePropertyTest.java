package dev.berth.core.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans for clusters made by chance; a failure names its seed. */
class MovePropertyTest {
    private static final int CASES = 1_500;
    private static final int MOST_MOVES = 3;
    private static final long EFFORT = 10_000_000;

    private static Optional<MovePlan> plan(Layouts.Case given, RoomFinder.Care care) {
        return new RoomFinder(new Layout(given.layout()), new BitSet(), care).find(given.need(), MOST_MOVES, EFFORT);
    }

    @Test
    void aPlanHasAsFewMovesAsBruteForceFinds() {
        int planned = 0;
        for (long seed = 0; seed < CASES; seed++) {
            var given = Layouts.random(seed);
            var fewest = new BruteForceMoves(given.layout(), given.need()).fewest(MOST_MOVES);
            var found = plan(given, RoomFinder.Care.EVERYTHING);

            assertThat(found.map(plan -> plan.moves().size()))
                    .as("seed %d", seed)
                    .isEqualTo(fewest.isPresent() ? Optional.of(fewest.getAsInt()) : Optional.empty());
            planned += found.filter(plan -> !plan.moves().isEmpty()).isPresent() ? 1 : 0;
        }
        assertThat(planned).as("cases with moves").isGreaterThan(CASES / 20);
    }

    @Test
    void everyMoveFindsItsRoomWhenItIsItsTurnAndNoDeviceIsEverOverfull() {
        for (long seed = 0; seed < CASES; seed++) {
            var given = Layouts.random(seed);
            for (var care : RoomFinder.Care.values()) {
                var plan = plan(given, care);
                if (plan.isPresent()) {
                    play(seed, new Layout(given.layout()), given.need(), plan.get());
                }
            }
        }
    }

    private static void play(long seed, Layout layout, Need need, MovePlan plan) {
        var moved = new HashSet<Integer>();
        for (var move : plan.moves()) {
            var tenant = layout.tenant(move.tenant());
            assertThat(moved.add(move.tenant())).as("seed %d: once", seed).isTrue();
            assertThat(tenant.stays()).as("seed %d: movable", seed).isEmpty();
            assertThat(layout.lift(move.tenant())).as("seed %d: from", seed).isEqualTo(move.from());
            assertThat(layout.fits(tenant.need(), move.to()))
                    .as("seed %d: room", seed)
                    .isTrue();
            layout.put(move.tenant(), move.to());
            neverOverfull(seed, layout);
        }
        assertThat(layout.fits(need, plan.spot()))
                .as("seed %d: the pod fits", seed)
                .isTrue();
        layout.add(Tenant.movable("waited", need), plan.spot());
        neverOverfull(seed, layout);
    }

    private static void neverOverfull(long seed, Layout layout) {
        for (int node = 0; node < layout.sites().size(); node++) {
            for (int device = 0; device < layout.sites().get(node).gpus().devices(); device++) {
                assertThat(layout.free(node, device)).as("seed %d", seed).isBetween(0L, 100L);
            }
            assertThat(layout.left(node, 0)).as("seed %d: CPU", seed).isNotNegative();
        }
    }
}
