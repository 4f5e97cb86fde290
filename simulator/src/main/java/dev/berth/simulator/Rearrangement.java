package dev.berth.simulator;

import dev.berth.core.move.Need;
import dev.berth.core.move.RoomFinder;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves pods of a cluster that is full, so that some of those that wait find room: first what one move does for
 * somebody, then what takes two. Each pod moves at most once.
 */
final class Rearrangement {
    /** Longer chains hardly ever gain anything; see docs/policies.md. */
    private static final int LONGEST = 2;

    /** So many nodes are looked at for one pod; enough for every chain of two in a cluster of a thousand nodes. */
    private static final long EFFORT = 3_000_000;

    /** Whole GPUs leave no gaps: they come first, the largest first; among equals who needs least CPU. */
    private static final Comparator<Task> FIRST = Comparator.<Task>comparingInt(
                    task -> task.cores() % Slice.WHOLE == 0 ? 0 : 1)
            .thenComparing(Comparator.comparingLong(Task::cores).reversed())
            .thenComparingLong(task -> task.parcel().cpu());

    private final SimulatedCluster cluster;
    private final Settlement settlement;
    private final RoomFinder finder;
    private final List<Task> waiting;
    private int left;
    private int moves;
    private int pods;

    /** @param most so many moves at most */
    Rearrangement(SimulatedCluster cluster, Settlement settlement, int most) {
        this.cluster = cluster;
        this.settlement = settlement;
        this.finder = new RoomFinder(settlement.layout(), new BitSet(), RoomFinder.Care.LIKELY);
        this.waiting = new ArrayList<>(settlement.waiting());
        this.waiting.removeIf(task -> task.cores() == 0);
        this.waiting.sort(FIRST);
        this.left = most;
    }

    void run() {
        for (int length = 0; length <= LONGEST; length++) {
            boolean more = true;
            while (more && left > 0) {
                more = pass(length);
            }
        }
    }

    /** Whether anybody was moved, so that another pass may find more. */
    private boolean pass(int length) {
        int before = moves;
        Map<Need, Integer> refused = new HashMap<>();
        waiting.removeIf(task -> {
            var need = settlement.need(task);
            if (refused.getOrDefault(need, -1) == pods) {
                return false;
            }
            boolean placed = place(task, need, Math.min(length, left));
            if (!placed) {
                refused.put(need, pods);
            }
            return placed;
        });
        return moves > before;
    }

    private boolean place(Task task, Need need, int length) {
        var plan = finder.find(need, length, EFFORT);
        plan.ifPresent(found -> {
            for (var move : found.moves()) {
                cluster.remove(settlement.seat(move.tenant(), move.from()));
                cluster.settle(settlement.seat(move.tenant(), move.to()));
            }
            var seat = new Seat(found.spot().node(), task, found.spot().gpus());
            cluster.settle(seat);
            settlement.seated(seat);
            finder.forget();
            left -= found.moves().size();
            moves += found.moves().size();
            pods++;
        });
        return plan.isPresent();
    }

    int moves() {
        return moves;
    }

    /** How many pods that waited have a place now. */
    int pods() {
        return pods;
    }
}
