package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Speaks for nobody's door: pods with counted GPUs, which a scheduler of the cluster's own places by number alone. */
public final class PlainPods implements Advocate {
    private static final String GPU = "/gpu";
    /** More than any machine has. */
    private static final long MOST = 1024;

    private final Lookout lookout;

    public PlainPods(Lookout lookout) {
        this.lookout = lookout;
    }

    @Override
    public Door door() {
        return Door.OUTSIDE;
    }

    @Override
    public List<Device> devices(NodeName node) {
        return lookout.rooms()
                .find(node)
                .flatMap(room -> room.allocatable().amounts().entrySet().stream()
                        .filter(resource -> resource.getKey().endsWith(GPU) && resource.getValue() > 0)
                        .findFirst())
                .map(resource -> Device.numbered(node, (int) Math.min(resource.getValue(), MOST)))
                .orElse(List.of());
    }

    /** Which of a node's GPUs such a pod has, nobody but its kubelet knows. */
    @Override
    public Collection<Entry> shown(NodeName node) {
        return List.of();
    }

    @Override
    public boolean takes(Pod pod) {
        return counted(pod) > 0 && lookout.advocates().stream().noneMatch(other -> other != this && other.takes(pod));
    }

    /** How many GPUs a pod requests by number. */
    static long counted(Pod pod) {
        try {
            return PodNeeds.of(pod).requests().amounts().entrySet().stream()
                    .filter(request -> request.getKey().endsWith(GPU))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        } catch (IllegalArgumentException malformed) {
            return 0;
        }
    }

    @Override
    public String asks(Pod pod) {
        return PodNeeds.of(pod).requests().amounts().entrySet().stream()
                .filter(request -> request.getKey().endsWith(GPU))
                .map(request -> "%d %s".formatted(request.getValue(), request.getKey()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        return answer(pod, lookout.rooms().all());
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        return answer(pod, lookout.rooms().find(node).map(List::of).orElse(List.of()));
    }

    private Answer answer(Pod pod, Collection<NodeRoom> rooms) {
        PodNeeds needs;
        try {
            needs = PodNeeds.of(pod);
        } catch (IllegalArgumentException malformed) {
            return new Answer.Unusable(String.valueOf(malformed.getMessage()));
        }
        var fit = Fit.of(needs, lookout.rooms().all(), lookout::namespaceLabels);
        Map<NodeName, Objection> objections = new HashMap<>();
        Optional<NodeName> first = Optional.empty();
        for (var room : rooms) {
            var against = fit.against(room);
            if (!against.isEmpty()) {
                objections.put(room.name(), NodeObjections.of(room.name(), against));
            } else if (first.isEmpty() || room.name().compareTo(first.get()) < 0) {
                first = Optional.of(room.name());
            }
        }
        return first.<Answer>map(node -> new Answer.Fits(
                        node,
                        List.of(asks(pod)),
                        "the scheduler of the cluster places it by number; this is the first node by name that fits",
                        objections))
                .orElseGet(() -> new Answer.Waits(objections));
    }
}
