package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.card.Occupied;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.ledger.CountedPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Speaks for nobody's door: pods with counted GPUs, which a scheduler of the cluster's own places by number alone. */
public final class PlainPods implements Advocate {
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
                        .filter(resource -> CountedPods.counts(resource.getKey()) && resource.getValue() > 0)
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
        return CountedPods.gpus(pod) > 0
                && lookout.advocates().stream().noneMatch(other -> other != this && other.takes(pod));
    }

    @Override
    public String asks(Pod pod) {
        return PodNeeds.of(pod).requests().amounts().entrySet().stream()
                .filter(request -> CountedPods.counts(request.getKey()))
                .map(request -> "%d %s".formatted(request.getValue(), request.getKey()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        return answer(pod, lookout.rooms().all(), ledger);
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        return answer(pod, lookout.rooms().find(node).map(List::of).orElse(List.of()), ledger);
    }

    /** The number may suffice and the cards be gone: what doors gave out by name, the scheduler does not count. */
    private Optional<Objection> held(NodeName node, int wanted, Ledger ledger) {
        int all = devices(node).size();
        int free = all - Occupied.cards(ledger.of(node), List.of(), "");
        return free >= wanted
                ? Optional.empty()
                : Optional.of(Objection.taken(
                        "taken",
                        "%s has %d GPUs, %d free, and %d are asked for".formatted(node, all, Math.max(0, free), wanted),
                        wanted - Math.max(0, free),
                        "free %d GPUs on %s".formatted(wanted - Math.max(0, free), node)));
    }

    private Answer answer(Pod pod, Collection<NodeRoom> rooms, Ledger ledger) {
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
            var held = held(room.name(), CountedPods.gpus(pod), ledger);
            if (!against.isEmpty()) {
                objections.put(room.name(), NodeObjections.of(room.name(), against));
            } else if (held.isPresent()) {
                objections.put(room.name(), held.get());
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
