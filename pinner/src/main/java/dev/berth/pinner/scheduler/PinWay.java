package dev.berth.pinner.scheduler;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.pod.BindingOutcome;
import dev.berth.kube.pod.Bindings;
import dev.berth.kube.retry.Failure;
import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The way of a pod, from top to bottom: what its map says, the ledger, the binding. {@link #plan} is for one thread;
 * {@link #reserve} takes all pods that go to one node together, in one write; {@link #bind} may run for many at once.
 */
final class PinWay {
    /** How long an entry stands for a pod that is not seen on its node yet. */
    private static final Duration LIFE = Duration.ofSeconds(60);

    /** A binding must not be written when the entries that protect it may be gone by then. */
    private static final Duration MARGIN = Duration.ofSeconds(25);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Plans plans;
    private final NodeRooms rooms;
    private final NodeLedgers ledgers;
    private final Bindings bindings;
    private final boolean exclusive;
    private final InstantSource clock;

    PinWay(Cluster cluster, Plans plans, NodeRooms rooms, NodeLedgers ledgers, boolean exclusive, InstantSource clock) {
        this.plans = plans;
        this.rooms = rooms;
        this.ledgers = ledgers;
        this.bindings = new Bindings(cluster);
        this.exclusive = exclusive;
        this.clock = clock;
    }

    /** Where the pod goes; its room is kept from the next decisions of this process. */
    Plans.Plan plan(Pod pod) {
        var plan = plans.plan(pod);
        if (plan instanceof Plans.Plan.Go(var pin)) {
            rooms.assume(pin.needs(), pin.node());
        }
        return plan;
    }

    /** What became of the pods of one node in its ledger. */
    record Reserved(Instant expires, Map<String, Outcome> refused) {}

    /** Takes the GPUs of all these pods, which go to one node, in one write. */
    Reserved reserve(NodeName node, List<Pin> pins) {
        var expires = clock.instant().plus(LIFE);
        if (pins.stream().allMatch(pin -> pin.devices().isEmpty())) {
            return new Reserved(expires, Map.of());
        }
        var outcome = ledgers.decide(node, holdings -> take(holdings, pins, expires, exclusive), PATIENCE);
        var refused = switch (outcome) {
            case LedgerOutcome.Settled<Map<String, Outcome>>(var answer) -> answer;
            case LedgerOutcome.NotWritten<Map<String, Outcome>>(var reason) -> all(pins, reason);
            case LedgerOutcome.Unknown<Map<String, Outcome>>(var reason) -> all(pins, reason);
        };
        refused.keySet().forEach(rooms::takeBack);
        return new Reserved(expires, refused);
    }

    private static Map<String, Outcome> all(List<Pin> pins, String reason) {
        return pins.stream()
                .collect(Collectors.toMap(
                        Pin::uid, _ -> new Outcome.Failed("the node's ledger could not be written: " + reason)));
    }

    /** One pod after the other, each seeing what those before it took; says who was refused, and why. */
    static Decision.Decided<Map<String, Outcome>> take(
            Holdings holdings, List<Pin> pins, Instant expires, boolean exclusive) {
        var after = holdings;
        Map<String, Outcome> refused = new HashMap<>();
        for (var pin : pins) {
            var others = after.without(entry -> entry.holder().id().equals(pin.uid()) || pin.replaces(entry.holder()));
            var obstacle = obstacle(others, pin, exclusive);
            if (obstacle.isPresent()) {
                refused.put(pin.uid(), obstacle.get());
                continue;
            }
            after = others;
            for (var entry : pin.entries(expires, exclusive)) {
                after = after.recording(entry);
            }
        }
        return new Decision.Decided<>(after, refused);
    }

    /** Whoever holds one of the GPUs stands in the way, unless the map itself gives it to both. */
    private static Optional<Outcome> obstacle(Holdings others, Pin pin, boolean exclusive) {
        for (var device : pin.devices()) {
            for (var entry : others.of(device)) {
                if (exclusive || !pin.sharesWith(device, entry.holder())) {
                    return Optional.of(new Outcome.Refused(
                            "%s sends replica %d to %s: GPU %s is held by %s (%s)"
                                    .formatted(
                                            Keys.MAP,
                                            pin.entry().ordinal(),
                                            pin.node(),
                                            device,
                                            entry.holder(),
                                            entry.holder().door().label()),
                            "taken"));
                }
            }
        }
        return Optional.empty();
    }

    /** Binds a pod whose GPUs are reserved. */
    Outcome bind(Pin pin, Instant expires) {
        if (clock.instant().isAfter(expires.minus(MARGIN))) {
            return giveUp(pin, expires, new Outcome.Failed("the API server took too long"));
        }
        var metadata = pin.pod().getMetadata();
        try {
            var outcome = bindings.bind(
                    metadata.getNamespace(),
                    metadata.getName(),
                    metadata.getUid(),
                    pin.node(),
                    Map.of(Keys.PINNED, pin.entry().devices()));
            return switch (outcome) {
                case BindingOutcome.Bound _ -> new Outcome.Placed();
                case BindingOutcome.AlreadyBound(var where)
                when where.equals(pin.node().value()) -> new Outcome.Placed();
                case BindingOutcome.AlreadyBound _, BindingOutcome.Gone _ ->
                    giveUp(pin, expires, new Outcome.NotWanted());
                case BindingOutcome.Refused(var reason) -> giveUp(pin, expires, new Outcome.Failed(reason));
            };
        } catch (KubernetesClientException unanswered) {
            // Perhaps it is bound: what is reserved stays until that is seen, or until it expires.
            rooms.takeBack(pin.uid());
            return new Outcome.Failed(Failure.words(unanswered));
        }
    }

    /** Gives back what a pod held that is gone; what is not written here is found by the reconciler. */
    void release(NodeName node, String uid) {
        if (!ledgers.ledger().of(node).of(uid).isEmpty()) {
            var _ = ledgers.decide(node, holdings -> new Decision.Decided<>(holdings.without(uid), true), PATIENCE);
        }
    }

    /** Gives back exactly what was taken; what is not written here expires. */
    private Outcome giveUp(Pin pin, Instant expires, Outcome outcome) {
        rooms.takeBack(pin.uid());
        Set<Entry> taken = Set.copyOf(pin.entries(expires, exclusive));
        if (!taken.isEmpty()) {
            var _ = ledgers.decide(
                    pin.node(), holdings -> new Decision.Decided<>(holdings.without(taken::contains), true), PATIENCE);
        }
        return outcome;
    }
}
