package dev.berth.core.move;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the fewest moves after which a pod has room. It goes back from the pod that waits: who must go from a node that
 * it might have, where each of these may go, and who must go from there; no move, then one, then two. Each pod moves at
 * most once, and a plan's moves are made in an order in which each finds its room.
 *
 * <p>Why none is missed: take any plan that works, and with it where each pod ends up. Of those that leave the waiting
 * pod's node some smallest set is enough to let it in, and the search tries every smallest set; the same holds for each
 * of these at the place where it ends up.
 */
public final class RoomFinder {
    /** More guests of one node than this are not looked at in every combination. */
    private static final int MOST_GUESTS = 24;

    /** A search for what is likely tries so many places for a pod that has to go. */
    private static final int LIKELY_PLACES = 3;

    private final Layout layout;
    private final Care care;
    private final BitSet moved = new BitSet();
    private final BitSet leaving = new BitSet();
    private final List<Move> moves = new ArrayList<>();
    private final Map<Way, Long> hopeless = new HashMap<>();
    private final Map<Way, Long> hopeful = new HashMap<>();
    private long version;
    private long versions;
    private long steps;
    private long arrivals;
    private boolean cut;
    private Spot found = Spot.NOWHERE;

    /** How much is looked at. */
    public enum Care {
        /** Everything: what is found is the least. */
        EVERYTHING,
        /** Pods that have a way out by themselves, and the first few ways of each: for large clusters. */
        LIKELY
    }

    /** Whether a pod with this need finds a place at the cost of so many moves. */
    private record Way(Need need, int left) {}

    /** Somebody has to leave before this place is free. */
    private record Option(List<Integer> leaving, Spot spot) {}

    /** What is left to do once somebody has a place. */
    private interface Then {
        boolean go(int left);
    }

    /**
     * @param layout is changed and changed back while this looks; a plan that is found is made in it
     * @param still pods that are not to be moved, beside those that say so
     */
    public RoomFinder(Layout layout, BitSet still, Care care) {
        this.layout = layout;
        this.care = care;
        moved.or(still);
    }

    /**
     * A pod that was moved by a plan that was found is not moved by another.
     *
     * @param most so many moves at most
     * @param effort so many nodes are looked at for each number of moves; what is not found then is given up
     */
    public Optional<MovePlan> find(Need need, int most, long effort) {
        boolean certain = true;
        moves.clear();
        for (int count = 0; count <= most; count++) {
            steps = effort;
            cut = false;
            if (anywhere(need, -1, count, _ -> true)) {
                return Optional.of(new MovePlan(moves, found, certain && care == Care.EVERYTHING));
            }
            certain &= !cut;
        }
        return Optional.empty();
    }

    /** The layout was changed by somebody else: what was hopeless may not be so any more. */
    public void forget() {
        version = ++versions;
    }

    /** Whether the last search looked at everything that it was to look at. */
    public boolean exhaustive() {
        return !cut;
    }

    private boolean anywhere(Need need, int who, int left, Then then) {
        var suits = need.suits();
        long enough = care == Care.LIKELY && who >= 0 ? arrivals + LIKELY_PLACES : Long.MAX_VALUE;
        for (int node = suits.next(0); node >= 0 && arrivals < enough; node = suits.next(node + 1)) {
            if (on(node, need, who, left, then)) {
                return true;
            }
        }
        return false;
    }

    private boolean on(int node, Need need, int who, int left, Then then) {
        for (var option : options(node, need, who, left)) {
            if (clear(option.leaving, left, rest -> settle(need, who, option, rest, then))) {
                return true;
            }
        }
        return false;
    }

    /** Lets all of them go, in any order that works. */
    private boolean clear(List<Integer> those, int left, Then then) {
        var others = those.stream().filter(each -> !moved.get(each)).toList();
        if (others.isEmpty()) {
            return then.go(left);
        }
        for (var first : others) {
            int later = others.size() - 1;
            if (left > later && relocate(first, left - later, rest -> clear(others, rest + later, then))) {
                return true;
            }
        }
        return false;
    }

    /** Lets one go; that is a move itself. */
    private boolean relocate(int who, int left, Then then) {
        var need = layout.tenant(who).need();
        int home = layout.spot(who).node();
        leaving.set(who);
        var key = new Way(need, left);
        boolean done;
        if (hopeless.getOrDefault(key, -1L) == version) {
            done = on(home, need, who, left - 1, then);
        } else {
            long before = arrivals;
            done = anywhere(need, who, left - 1, then);
            if (!done && !cut && arrivals == before) {
                hopeless.put(key, version);
            }
        }
        leaving.clear(who);
        return done;
    }

    /** Whether one could go if nobody else had to. */
    private boolean canGo(int who, int left) {
        var way = new Way(layout.tenant(who).need(), left);
        if (hopeful.getOrDefault(way, -1L) == version || hopeless.getOrDefault(way, -1L) == version) {
            return hopeful.getOrDefault(way, -1L) == version;
        }
        int mark = moves.size();
        long before = version;
        long arrived = arrivals;
        boolean can = relocate(who, left, _ -> true);
        // This was a question, not a step of the search.
        arrivals = arrived;
        while (moves.size() > mark) {
            undo(moves.getLast());
        }
        version = before;
        (can ? hopeful : hopeless).put(way, version);
        return can;
    }

    private void undo(Move move) {
        moved.clear(move.tenant());
        moves.removeLast();
        layout.lift(move.tenant());
        layout.put(move.tenant(), move.from());
    }

    private boolean settle(Need need, int who, Option option, int left, Then then) {
        if (who < 0) {
            if (layout.fits(need, option.spot)) {
                found = option.spot;
                return then.go(left);
            }
            return !option.leaving.isEmpty() && on(option.spot.node(), need, who, left, then);
        }
        var from = layout.lift(who);
        if (!layout.fits(need, option.spot)) {
            layout.put(who, from);
            // Somebody else took the room in the meantime: others have to go.
            return !option.leaving.isEmpty() && on(option.spot.node(), need, who, left, then);
        }
        arrivals++;
        layout.put(who, option.spot);
        moves.add(new Move(who, from, option.spot));
        moved.set(who);
        long before = version;
        version = ++versions;
        if (then.go(left)) {
            return true;
        }
        version = before;
        undo(moves.getLast());
        return false;
    }

    /** The places on a node, each with every smallest set of guests that has to leave for it. */
    private List<Option> options(int node, Need need, int who, int left) {
        if (--steps < 0) {
            cut = true;
            return List.of();
        }
        var mobile = left == 0 ? List.<Integer>of() : mobile(node, who, left);
        boolean home = who >= 0 && layout.spot(who).node() == node;
        var from = home ? layout.lift(who) : Spot.NOWHERE;
        var options = new ArrayList<Option>();
        for (int size = 0; size <= Math.min(left, mobile.size()); size++) {
            without(mobile, 0, size, new ArrayList<>(), node, need, options);
        }
        if (home) {
            layout.put(who, from);
            options.removeIf(option -> option.spot.equals(from));
        }
        return options;
    }

    private List<Integer> mobile(int node, int who, int left) {
        var mobile = new ArrayList<Integer>();
        for (int guest : List.copyOf(layout.guests(node))) {
            boolean may = guest != who
                    && !moved.get(guest)
                    && !leaving.get(guest)
                    && layout.tenant(guest).stays().isEmpty();
            if (may && (care == Care.EVERYTHING || canGo(guest, left))) {
                if (mobile.size() == MOST_GUESTS) {
                    cut = true;
                    break;
                }
                mobile.add(guest);
            }
        }
        return mobile;
    }

    private void without(
            List<Integer> mobile, int from, int more, List<Integer> gone, int node, Need need, List<Option> options) {
        if (more == 0) {
            gather(gone, node, need, options);
            return;
        }
        for (int index = from; index <= mobile.size() - more; index++) {
            int guest = mobile.get(index);
            var spot = layout.lift(guest);
            gone.add(guest);
            without(mobile, index + 1, more - 1, gone, node, need, options);
            gone.removeLast();
            layout.put(guest, spot);
        }
    }

    private void gather(List<Integer> gone, int node, Need need, List<Option> options) {
        if (!layout.fits(need, node)) {
            return;
        }
        for (var spot : layout.spots(need, node)) {
            if (options.stream().noneMatch(option -> option.spot.equals(spot) && gone.containsAll(option.leaving))) {
                options.add(new Option(List.copyOf(gone), spot));
            }
        }
    }
}
