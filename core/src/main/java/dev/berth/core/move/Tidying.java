package dev.berth.core.move;

import dev.berth.core.share.Fragments;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lowers fragmentation by moves: one after the other, each the one that lowers it most at that moment. That is not
 * always the best set of so many moves, but each of them is worth making by itself.
 */
public final class Tidying {
    /** Less than this is no gain, but a rounding error: hundredths of a GPU. */
    private static final double GAIN = 1e-6;

    private final Layout layout;
    private final Fragments workload;
    private final BitSet moved = new BitSet();

    /** @param layout is changed: the moves that are found are made in it */
    public Tidying(Layout layout, Fragments workload) {
        this.layout = layout;
        this.workload = workload;
    }

    /** A place, and by how much fragmentation grows when a pod goes there. */
    private record Offer(Spot spot, double cost) {}

    /** A move, and by how much fragmentation falls. */
    private record Step(Move move, double gain) {}

    /** At most so many; fewer where no move gains anything any more. */
    public List<Move> moves(int most) {
        var moves = new ArrayList<Move>();
        while (moves.size() < most) {
            var best = best();
            if (best.isEmpty()) {
                break;
            }
            var move = best.get().move();
            layout.lift(move.tenant());
            layout.put(move.tenant(), move.to());
            moved.set(move.tenant());
            moves.add(move);
        }
        return moves;
    }

    private Optional<Step> best() {
        Map<Need, List<Offer>> known = new HashMap<>();
        Optional<Step> best = Optional.empty();
        for (int tenant = 0; tenant < layout.tenants(); tenant++) {
            if (!moved.get(tenant)
                    && layout.tenant(tenant).stays().isEmpty()
                    && layout.spot(tenant).somewhere()) {
                var step = step(tenant, known);
                if (step.isPresent() && step.get().gain > best.map(Step::gain).orElse(GAIN)) {
                    best = step;
                }
            }
        }
        return best;
    }

    private Optional<Step> step(int tenant, Map<Need, List<Offer>> known) {
        var need = layout.tenant(tenant).need();
        var offers = known.computeIfAbsent(need, this::offers);
        int home = layout.spot(tenant).node();
        double before = fragments(home);
        var from = layout.lift(tenant);
        double without = fragments(home);
        var best = Optional.<Offer>empty();
        for (var offer : offers) {
            best = offer.spot.node() == home ? best : better(best, offer);
        }
        for (var spot : layout.spots(need, home)) {
            best = spot.equals(from) ? best : better(best, offer(need, spot, without));
        }
        layout.put(tenant, from);
        return best.map(offer -> new Step(new Move(tenant, from, offer.spot), before - without - offer.cost));
    }

    private static Optional<Offer> better(Optional<Offer> best, Offer other) {
        return best.isPresent() && best.get().cost <= other.cost ? best : Optional.of(other);
    }

    /** The two nodes that such a pod costs least: one of them may be where it is. */
    private List<Offer> offers(Need need) {
        Optional<Offer> first = Optional.empty();
        Optional<Offer> second = Optional.empty();
        var suits = need.suits();
        for (int node = suits.next(0); node >= 0; node = suits.next(node + 1)) {
            var here = cheapest(need, node);
            if (here.isEmpty()) {
                continue;
            }
            if (first.isEmpty() || here.get().cost < first.get().cost) {
                second = first;
                first = here;
            } else if (second.isEmpty() || here.get().cost < second.get().cost) {
                second = here;
            }
        }
        var both = new ArrayList<Offer>();
        first.ifPresent(both::add);
        second.ifPresent(both::add);
        return both;
    }

    private Optional<Offer> cheapest(Need need, int node) {
        if (!layout.fits(need, node)) {
            return Optional.empty();
        }
        double before = fragments(node);
        Optional<Offer> best = Optional.empty();
        for (var spot : layout.spots(need, node)) {
            best = better(best, offer(need, spot, before));
        }
        return best;
    }

    private Offer offer(Need need, Spot spot, double before) {
        return new Offer(spot, layout.with(need, spot, this::fragments) - before);
    }

    private double fragments(int node) {
        return workload.of(layout.state(node));
    }
}
