package dev.berth.claims.scheduler;

import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Takes a placement's devices in the ledger, where two writers cannot both win: first the pages of pools on the
 * network, then the node's. Each page decides again on what it says at that moment; what was taken is given back if a
 * later page says no.
 */
final class Reservation {
    /** How long an entry stands for a claim whose status does not show it yet. */
    static final Duration LIFE = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration THINKING = Duration.ofSeconds(1);

    private final NodeLedgers ledgers;
    private final Policy policy;
    private final InstantSource clock;

    Reservation(NodeLedgers ledgers, Policy policy, InstantSource clock) {
        this.ledgers = ledgers;
        this.policy = policy;
        this.clock = clock;
    }

    /** How it went. */
    sealed interface Result {}

    /** The devices are the claims', until then at least. */
    record Taken(Placement placement, List<Line> lines, Instant expires) implements Result {}

    /** They are not, and nothing was left behind; the reason is for people. */
    record Lost(String why) implements Result {}

    /** The ledger could not be written; what may be left behind expires. */
    record Failed(String why) implements Result {}

    Result take(Bid bid) {
        var expires = clock.instant().plus(LIFE);
        var wanted = bid.lines(bid.placement(), expires);
        if (wanted.isEmpty()) {
            return new Taken(bid.placement(), List.of(), expires);
        }
        var node = bid.placement().node();
        var pages = wanted.stream()
                .map(Line::place)
                .filter(place -> !place.equals(node))
                .distinct()
                .toList();
        var taken = new ArrayList<Line>();
        for (var page : pages) {
            switch (take(bid, page, expires)) {
                case Taken part -> taken.addAll(part.lines());
                case Lost lost -> {
                    undo(taken, _ -> true);
                    return lost;
                }
                case Failed failed -> {
                    undo(taken, _ -> true);
                    return failed;
                }
            }
        }
        if (wanted.stream().noneMatch(line -> line.place().equals(node))) {
            return new Taken(bid.placement(), taken, expires);
        }
        return switch (take(bid, node, expires)) {
            case Taken last -> {
                taken.addAll(last.lines());
                yield new Taken(last.placement(), taken, expires);
            }
            case Lost lost -> {
                undo(taken, _ -> true);
                yield lost;
            }
            case Failed failed -> {
                undo(taken, _ -> true);
                yield failed;
            }
        };
    }

    private Result take(Bid bid, NodeName page, Instant expires) {
        var outcome = ledgers.decide(page, holdings -> decide(bid, page, holdings, expires), PATIENCE);
        return switch (outcome) {
            case LedgerOutcome.Settled<Optional<Taken>>(var answer) ->
                answer.<Result>map(taken -> taken)
                        .orElseGet(() -> new Lost("the devices on %s went to another".formatted(page)));
            case LedgerOutcome.NotWritten<Optional<Taken>>(var reason) -> new Failed(reason);
            case LedgerOutcome.Unknown<Optional<Taken>>(var reason) -> new Failed(reason);
        };
    }

    /** Places the pod again on this page as it is now; on the network only the very same devices will do. */
    private Decision.Decided<Optional<Taken>> decide(Bid bid, NodeName page, Holdings holdings, Instant expires) {
        var own = bid.holders();
        var others = holdings.without(entry -> own.contains(entry.holder().id()));
        var node = bid.placement().node();
        var verdict = Allocator.placeOn(
                node,
                bid.inventory(),
                bid.ledger().with(page, others),
                bid.demand().onlyOn(NodeFit.ANY),
                policy,
                Deadline.within(THINKING));
        if (!(verdict instanceof Placement placement) || !onNetwork(placement).equals(onNetwork(bid.placement()))) {
            return new Decision.Decided<>(holdings, Optional.empty());
        }
        var lines = bid.lines(placement, expires).stream()
                .filter(line -> line.place().equals(page))
                .toList();
        var after = holdings;
        for (var line : lines) {
            after = after.taking(line.entry());
        }
        return new Decision.Decided<>(after, Optional.of(new Taken(placement, lines, expires)));
    }

    private static Set<Grant> onNetwork(Placement placement) {
        return placement.grants().stream()
                .filter(grant -> !grant.place().equals(placement.node()))
                .collect(Collectors.toSet());
    }

    /** Gives back exactly these entries; one that somebody has confirmed or replaced since is another, and stays. */
    void undo(List<Line> lines, Predicate<Line> which) {
        var ours = lines.stream().filter(which).toList();
        for (var page : ours.stream().map(Line::place).distinct().toList()) {
            Set<Entry> entries = ours.stream()
                    .filter(line -> line.place().equals(page))
                    .map(Line::entry)
                    .collect(Collectors.toSet());
            // If this is not written, the entries expire by themselves.
            var _ = ledgers.decide(
                    page, holdings -> new Decision.Decided<>(holdings.without(entries::contains), true), PATIENCE);
        }
    }
}
