package dev.berth.kube.scheduler;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.card.Guest;
import dev.berth.core.card.Occupied;
import dev.berth.kube.Cluster;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.ledger.CountedPods;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.Reconciler;
import dev.berth.kube.schedule.World;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * GPUs by number. A pod that asks for two gets two lines in the ledger of its node before it is bound, so that no door
 * promises the cards that it needs; and it is not sent where doors hold too many of them.
 */
final class GuestBook implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LIFE = Duration.ofSeconds(60);
    private static final Duration RECONCILE = Duration.ofSeconds(10);

    private final World world;
    private final NodeLedgers ledgers;
    private final InstantSource clock;
    private final Reconciler reconciler;

    /** To be opened before the caches start, so that nothing is missed. */
    GuestBook(Cluster cluster, World world, InstantSource clock) {
        this.world = world;
        this.clock = clock;
        this.ledgers = NodeLedgers.served(cluster, this::count);
        this.reconciler = Reconciler.start(ledgers, new SeenGuests(cluster, world, ledgers::ledger), clock, RECONCILE);
        world.pods().onChange(CountedPods.telling(reconciler::tell));
    }

    boolean synced() {
        return ledgers.synced();
    }

    /** Calls this when a card may have become free. */
    void onFreed(Runnable listener) {
        ledgers.onChange((_, before, after) -> {
            if (before.freedBy(after)) {
                listener.run();
            }
        });
    }

    /** What speaks against the node, if too few of its cards are free; in numbers. */
    Optional<String> against(NodeRoom room, Guest guest) {
        int free = free(room, ledgers.ledger().of(room.name()), guest);
        return guest.gpus() <= free
                ? Optional.empty()
                : Optional.of("wants %d, %d of %d free".formatted(guest.gpus(), Math.max(0, free), all(room)));
    }

    private int free(NodeRoom room, Holdings written, Guest guest) {
        var others = CountedPods.on(world.pods(), room.name());
        return all(room) - Occupied.cards(written, others, guest.holder().id());
    }

    private OptionalInt count(NodeName node) {
        return world.rooms().find(node).map(room -> OptionalInt.of(all(room))).orElse(OptionalInt.empty());
    }

    private static int all(NodeRoom room) {
        return (int) room.allocatable().amounts().entrySet().stream()
                .filter(resource -> CountedPods.counts(resource.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Takes the pod's cards on the node; false if there are too few by now. */
    LedgerOutcome<Boolean> take(NodeRoom room, Guest guest) {
        var lines = guest.lines(new Entry.State.Assumed(clock.instant().plus(LIFE)));
        return ledgers.decide(
                room.name(),
                written -> {
                    if (free(room, written, guest) < guest.gpus()) {
                        return new Decision.Decided<>(written, false);
                    }
                    var after = written;
                    for (var line : lines) {
                        after = after.recording(line);
                    }
                    return new Decision.Decided<>(after, true);
                },
                PATIENCE);
    }

    /** Gives back what was taken for a pod that did not come. */
    void giveBack(NodeName node, Guest guest) {
        // If this is not written, the lines expire by themselves.
        var _ = ledgers.decide(
                node,
                written -> new Decision.Decided<>(
                        written.without(entry -> entry.holder().equals(guest.holder())), true),
                PATIENCE);
    }

    @Override
    public void close() {
        reconciler.close();
        ledgers.close();
    }
}
