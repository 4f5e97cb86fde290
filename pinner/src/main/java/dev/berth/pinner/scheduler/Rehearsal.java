package dev.berth.pinner.scheduler;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
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
        pods.forEach(pod -> rooms.heardPod(new Change.Added<>(pod)));
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
        var lines = new ArrayList<Line>();
        for (var replica : replicas) {
            lines.add(of(replica));
        }
        return lines;
    }

    private Line of(Pod replica) {
        var name = replica.getMetadata().getName();
        // The ledger tells holders apart by uid, which only a server gives.
        var pod = new PodBuilder(replica)
                .editMetadata()
                .withUid("rehearsed-" + replica.getMetadata().getNamespace() + "-" + name)
                .endMetadata()
                .build();
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
