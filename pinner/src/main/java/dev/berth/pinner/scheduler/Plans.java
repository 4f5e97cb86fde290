package dev.berth.pinner.scheduler;

import dev.berth.core.DeviceId;
import dev.berth.core.NodeName;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Unfit;
import dev.berth.pinner.map.GpuMap;
import dev.berth.pinner.map.Keys;
import dev.berth.pinner.map.LineProblem;
import dev.berth.pinner.map.MapEntry;
import dev.berth.pinner.map.Maps;
import dev.berth.pinner.map.Ordinal;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a pod's map means for it: the node and the GPUs, or why it must wait. The reasons are in the order in which one
 * would look for them: the map, the replica, the node, its room, its GPUs.
 */
public final class Plans {
    private final Maps maps = new Maps();
    private final NodeNames names;
    private final Function<NodeName, Optional<NodeRoom>> rooms;

    public Plans(NodeNames names, Function<NodeName, Optional<NodeRoom>> rooms) {
        this.names = names;
        this.rooms = rooms;
    }

    /** The answer. */
    sealed interface Plan {
        record Go(Pin pin) implements Plan {}

        record Wait(String note, String code) implements Plan {}
    }

    /** The pod's map; empty without the annotation. */
    Optional<GpuMap> map(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        return Optional.ofNullable(annotations.get(Keys.MAP))
                .filter(text -> !text.isBlank())
                .map(maps::of);
    }

    Plan plan(Pod pod) {
        var map = map(pod);
        if (map.isEmpty()) {
            return new Plan.Wait("the pod has no annotation %s that says where it goes".formatted(Keys.MAP), "no-map");
        }
        if (map.get().entries().isEmpty()) {
            return new Plan.Wait(
                    "%s has no line that can be read: %s".formatted(Keys.MAP, problems(map.get())), "malformed-map");
        }
        var ordinal = Ordinal.of(pod);
        if (ordinal.isEmpty()) {
            return new Plan.Wait(
                    "the pod is no replica that %s could name: it has no label %s, and its name does not end in -<number>, or was made up"
                            .formatted(Keys.MAP, Keys.POD_INDEX),
                    "no-ordinal");
        }
        return map.get()
                .of(ordinal.getAsLong())
                .map(entry -> plan(pod, map.get(), entry))
                .orElseGet(() -> new Plan.Wait(
                        "%s has no line for replica %d, only for %s%s"
                                .formatted(
                                        Keys.MAP,
                                        ordinal.getAsLong(),
                                        map.get().ordinals(),
                                        map.get().problems().isEmpty() ? "" : "; " + problems(map.get())),
                        "not-in-map"));
    }

    private Plan plan(Pod pod, GpuMap map, MapEntry entry) {
        return switch (names.find(entry.node())) {
            case NodeNames.Meaning.Nobody(var why) -> wait(entry, Optional.empty(), why, "no-node");
            case NodeNames.Meaning.Found(var node) -> plan(pod, map, entry, node);
        };
    }

    private Plan plan(Pod pod, GpuMap map, MapEntry entry, Node node) {
        var name = new NodeName(node.getMetadata().getName());
        PodNeeds needs;
        try {
            needs = PodNeeds.of(pod);
        } catch (IllegalArgumentException malformed) {
            return wait(entry, Optional.of(name), String.valueOf(malformed.getMessage()), "pod");
        }
        var unfit = rooms.apply(name)
                .map(room -> Fit.alone(needs, room))
                .orElseGet(() -> List.of(new Unfit("no-node", "the node is not known yet", "")));
        if (!unfit.isEmpty()) {
            var words = unfit.stream().map(Unfit::words).collect(Collectors.joining(", "));
            return wait(entry, Optional.of(name), words, unfit.getFirst().code());
        }
        var gpus = NodeGpus.of(node);
        var missing = gpus.missing(entry.gpus());
        if (missing.isPresent()) {
            return wait(entry, Optional.of(name), missing.get(), "no-gpu");
        }
        var devices = gpus.named(entry.gpus());
        return new Plan.Go(new Pin(pod, needs, entry, name, devices, sharers(map, entry, node)));
    }

    /** For each GPU of the entry the other replicas to which the map gives it, whatever it calls GPU and node there. */
    private Map<DeviceId, Set<Long>> sharers(GpuMap map, MapEntry entry, Node node) {
        var gpus = NodeGpus.of(node);
        var own = Set.copyOf(gpus.named(entry.gpus()));
        Map<DeviceId, Set<Long>> sharers = new HashMap<>();
        for (var name : calledHere(node)) {
            for (var other : map.at(name)) {
                if (other.ordinal() != entry.ordinal()) {
                    gpus.named(other.gpus()).stream()
                            .filter(own::contains)
                            .forEach(device -> sharers.computeIfAbsent(device, _ -> new TreeSet<>())
                                    .add(other.ordinal()));
                }
            }
        }
        return sharers;
    }

    /** What maps may call this node: its label, and its name if that is no other node's label. */
    private List<String> calledHere(Node node) {
        return Stream.concat(
                        NodeNames.label(node).stream(),
                        Stream.of(node.getMetadata().getName()))
                .distinct()
                .filter(name -> isCalled(name, node))
                .toList();
    }

    private boolean isCalled(String name, Node node) {
        return names.find(name) instanceof NodeNames.Meaning.Found(var found)
                && found.getMetadata().getName().equals(node.getMetadata().getName());
    }

    /** The pod's line. */
    Optional<MapEntry> entry(Pod pod) {
        var ordinal = Ordinal.of(pod);
        return ordinal.isEmpty() ? Optional.empty() : map(pod).flatMap(map -> map.of(ordinal.getAsLong()));
    }

    /** The node that a line means, if there is one. */
    Optional<NodeName> node(MapEntry entry) {
        return names.find(entry.node()) instanceof NodeNames.Meaning.Found(var node)
                ? Optional.of(new NodeName(node.getMetadata().getName()))
                : Optional.empty();
    }

    /** What a pod holds that is bound here, if its map still says so. */
    List<DeviceId> heldBy(Pod pod, Node node) {
        return entry(pod)
                .filter(entry -> isCalled(entry.node(), node))
                .map(entry -> NodeGpus.of(node).named(entry.gpus()))
                .orElse(List.of());
    }

    /** Whether the map of a pod on this node gives this GPU to others too. */
    boolean shared(Pod pod, DeviceId device, Node node) {
        var ordinal = Ordinal.of(pod);
        return ordinal.isPresent()
                && map(pod).flatMap(map -> map.of(ordinal.getAsLong())
                                .map(entry -> sharers(map, entry, node).containsKey(device)))
                        .orElse(false);
    }

    private static Plan.Wait wait(MapEntry entry, Optional<NodeName> node, String why, String code) {
        var named = node.filter(real -> !real.value().equals(entry.node()))
                .map(real -> "%s (%s)".formatted(entry.node(), real))
                .orElse(entry.node());
        return new Plan.Wait("%s sends replica %d to %s: %s".formatted(Keys.MAP, entry.ordinal(), named, why), code);
    }

    private static String problems(GpuMap map) {
        return map.problems().stream().limit(3).map(LineProblem::words).collect(Collectors.joining("; "));
    }
}
