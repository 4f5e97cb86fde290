package dev.berth.pinner.scheduler;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.ledger.CountedPods;
import dev.berth.pinner.map.GpuMap;
import dev.berth.pinner.map.Keys;
import dev.berth.pinner.map.LineProblem;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What would happen to replicas if they were created now, one after the other; nothing is written. */
public final class Rehearsal {
    /**
     * What would happen to one replica.
     *
     * @param node the node that its line means; empty where none is found
     * @param gpus as its line has them; empty without a line
     * @param waiting why it would wait; empty for one that would be bound
     */
    public record Line(String replica, Optional<String> node, Optional<String> gpus, Optional<String> waiting) {}

    private final NodeRooms rooms = new NodeRooms();
    private final Map<String, Pod> running = new HashMap<>();
    private final Plans plans;
    private final boolean exclusive;
    private Ledger ledger;

    /**
     * @param pods those that are there already
     * @param written what is held already, as the ledgers have it
     */
    public Rehearsal(List<Node> nodes, List<Pod> pods, Ledger written, boolean exclusive) {
        this.ledger = seen(nodes, pods, written);
        this.exclusive = exclusive;
        nodes.forEach(node -> rooms.heardNode(new Change.Added<>(node)));
        pods.forEach(pod -> {
            rooms.heardPod(new Change.Added<>(pod));
            running.put(fullName(pod), pod);
        });
        this.plans = new Plans(NodeNames.of(nodes), rooms::find);
    }

    private static Ledger seen(List<Node> nodes, List<Pod> pods, Ledger written) {
        var seen = written;
        for (var node : nodes) {
            var name = new NodeName(node.getMetadata().getName());
            var there = pods.stream()
                    .filter(pod -> name.value().equals(pod.getSpec().getNodeName()))
                    .toList();
            seen = seen.with(name, NumberedCards.names(node).inward(written.of(name), CountedPods.of(there)));
        }
        return seen;
    }

    private static GpuMap map(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        return GpuMap.parse(annotations.getOrDefault(Keys.MAP, ""));
    }

    /** Whether every line of the pod's map can be read. */
    public static boolean wellFormed(Pod pod) {
        return map(pod).problems().isEmpty();
    }

    /** What is wrong with, or remarkable about, a pod's map. */
    public static List<String> remarks(Pod pod) {
        var map = map(pod);
        return Stream.concat(map.problems().stream(), map.remarks().stream())
                .map(LineProblem::words)
                .toList();
    }

    public List<Line> of(List<Pod> replicas) {
        var named = replicas.stream().map(Rehearsal::asCreated).toList();
        named.forEach(this::replace);
        var lines = new ArrayList<Line>();
        for (var replica : named) {
            lines.add(of(replica));
        }
        return lines;
    }

    /** With what a server would give it; the ledger tells holders apart by uid. */
    private static Pod asCreated(Pod replica) {
        var metadata = replica.getMetadata();
        var namespace = Objects.requireNonNullElse(metadata.getNamespace(), "default");
        var name = Objects.requireNonNullElseGet(
                metadata.getName(), () -> Objects.requireNonNullElse(metadata.getGenerateName(), "") + "*");
        return new PodBuilder(replica)
                .editMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid("rehearsed-%s-%s".formatted(namespace, name))
                .endMetadata()
                .build();
    }

    /** Names are unique: before a replica is created, the one that runs under its name is gone, with all it has. */
    private void replace(Pod replica) {
        var before = running.remove(fullName(replica));
        if (before == null) {
            return;
        }
        rooms.heardPod(new Change.Removed<>(before));
        Pods.nodeOf(before)
                .ifPresent(node -> ledger = ledger.with(
                        node, ledger.of(node).without(before.getMetadata().getUid())));
    }

    private static String fullName(Pod pod) {
        return "%s/%s"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    private Line of(Pod pod) {
        var name = pod.getMetadata().getName();
        return switch (plans.plan(pod)) {
            case Plans.Plan.Wait(var note, var _) ->
                new Line(name, Optional.empty(), plans.entry(pod).map(entry -> entry.devices()), Optional.of(note));
            case Plans.Plan.Go(var pin) -> take(name, pin);
        };
    }

    private Line take(String name, Pin pin) {
        var taken = PinWay.take(holdings(pin.node()), List.of(pin), Instant.MAX, exclusive);
        ledger = ledger.with(pin.node(), taken.holdings());
        var refused = taken.answer().get(pin.uid());
        if (refused == null) {
            rooms.assume(pin.needs(), pin.node());
        }
        return new Line(
                name,
                Optional.of(pin.node().value()),
                Optional.of(pin.entry().devices()),
                refused instanceof Outcome.Refused(var note, var _) ? Optional.of(note) : Optional.empty());
    }

    private Holdings holdings(NodeName node) {
        return ledger.of(node);
    }
}
