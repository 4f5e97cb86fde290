package dev.berth.cli.defrag;

import dev.berth.core.move.Figures;
import dev.berth.core.move.Layout;
import dev.berth.core.move.Move;
import dev.berth.core.move.MovePlan;
import dev.berth.core.move.Need;
import dev.berth.core.move.RoomFinder;
import dev.berth.core.move.Tenant;
import dev.berth.core.move.Tidying;
import dev.berth.core.share.Fragments;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Moves, and what they gain.
 *
 * @param layout as it is before the moves
 * @param room for the pod that was asked about; empty if there was none, or if no moves make room
 * @param exhaustive whether everything was looked at
 * @param fitBefore the waiting pods for which there is room before, each as if it were alone
 * @param fitAfter and after
 */
record Proposal(
        Layout layout,
        List<Move> moves,
        Optional<MovePlan> room,
        boolean exhaustive,
        Figures before,
        Figures after,
        List<String> fitBefore,
        List<String> fitAfter) {
    private static final long EFFORT = 400_000;
    private static final long MORE_EFFORT = 5_000_000;

    /** The fewest moves, at most so many, that make room for a pod. */
    static Proposal roomFor(Situation.Waiting pod, Situation situation, int most) {
        var changed = new Layout(situation.layout());
        var finder = new RoomFinder(changed, new BitSet(), RoomFinder.Care.EVERYTHING);
        var plan = finder.find(pod.need(), most, EFFORT);
        boolean exhaustive = finder.exhaustive();
        if (plan.isEmpty() && !exhaustive) {
            plan = new RoomFinder(changed, new BitSet(), RoomFinder.Care.LIKELY).find(pod.need(), most, MORE_EFFORT);
        }
        plan.ifPresent(found -> changed.add(Tenant.movable(pod.name(), pod.need()), found.spot()));
        return of(situation, changed, plan.map(MovePlan::moves).orElse(List.of()), plan, exhaustive, pod.name());
    }

    /** At most so many moves that lower fragmentation. */
    static Proposal tidying(Situation situation, int most) {
        var changed = new Layout(situation.layout());
        var moves = new Tidying(changed, typical(situation)).moves(most);
        return of(situation, changed, moves, Optional.empty(), true, "");
    }

    private static Proposal of(
            Situation situation,
            Layout changed,
            List<Move> moves,
            Optional<MovePlan> room,
            boolean exhaustive,
            String except) {
        var typical = typical(situation);
        return new Proposal(
                situation.layout(),
                moves,
                room,
                exhaustive,
                Figures.of(situation.layout(), typical),
                Figures.of(changed, typical),
                fitting(situation, situation.layout(), except),
                fitting(situation, changed, except));
    }

    private static Fragments typical(Situation situation) {
        return new Fragments(Figures.typical(
                situation.layout(),
                situation.waiting().stream().map(Situation.Waiting::need).toList()));
    }

    private static List<String> fitting(Situation situation, Layout layout, String except) {
        return situation.waiting().stream()
                .filter(pod -> !pod.name().equals(except) && fits(pod.need(), layout))
                .map(Situation.Waiting::name)
                .distinct()
                .toList();
    }

    private static boolean fits(Need need, Layout layout) {
        for (int node = need.suits().next(0); node >= 0; node = need.suits().next(node + 1)) {
            if (layout.fits(need, node)) {
                return true;
            }
        }
        return false;
    }

    /** Those that have GPUs and cannot be moved. */
    List<Tenant> staying() {
        var staying = new ArrayList<Tenant>();
        for (int tenant = 0; tenant < layout.tenants(); tenant++) {
            var each = layout.tenant(tenant);
            if (each.stays().isPresent() && !each.need().slices().isEmpty()) {
                staying.add(each);
            }
        }
        return staying;
    }
}
