package dev.berth.kube.explain;

import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.kube.explain.PodReport.Holding;
import dev.berth.kube.explain.PodReport.Opinion;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts together what is to be said: what the ledgers hold, and what each door's advocate answers. */
public final class Explainer {
    private final Lookout lookout;

    public Explainer(Lookout lookout) {
        this.lookout = lookout;
    }

    /** Whether a pod is any door's business, or asks for GPUs by number. */
    public boolean concerns(Pod pod) {
        return lookout.advocates().stream().anyMatch(advocate -> advocate.takes(pod));
    }

    public PodReport pod(Pod pod, Picture picture) {
        var node = node(pod);
        boolean waits = node.isEmpty() && !Sighting.finished(pod);
        return report(pod, node, picture, waits ? opinions(pod, picture) : List.of());
    }

    /** What would happen to the pod if there were no other node than this. */
    public PodReport podOn(NodeName node, Pod pod, Picture picture) {
        var rest = without(pod, picture);
        return report(
                pod,
                node(pod),
                picture,
                opinions(pod, (advocate, each) -> advocate.answerOn(node, each, rest.as(advocate))));
    }

    private PodReport report(Pod pod, Optional<String> node, Picture picture, List<Opinion> opinions) {
        var metadata = pod.getMetadata();
        var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return new PodReport(
                namespace(pod),
                Objects.requireNonNullElse(metadata.getName(), ""),
                Objects.requireNonNullElse(phase, "Pending"),
                node,
                instant(metadata.getCreationTimestamp()),
                holds(pod, picture),
                opinions);
    }

    private static Optional<String> node(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName()).filter(name -> !name.isEmpty());
    }

    private static Optional<Instant> instant(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    private static String namespace(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default");
    }

    private static List<Holding> holds(Pod pod, Picture picture) {
        var holds = new ArrayList<Holding>();
        picture.ledger()
                .byNode()
                .forEach((node, holdings) -> holdings.entries()
                        .filter(entry -> isOf(entry, pod))
                        .forEach(entry -> holds.add(new Holding(node, entry))));
        return holds;
    }

    private static boolean isOf(Entry entry, Pod pod) {
        var holder = entry.holder();
        var uid = Objects.requireNonNullElse(pod.getMetadata().getUid(), "");
        return (!uid.isEmpty() && holder.uid().equals(Optional.of(uid)))
                || (holder.namespace().equals(namespace(pod))
                        && !holder.name().isEmpty()
                        && holder.name().equals(pod.getMetadata().getName()));
    }

    private List<Opinion> opinions(Pod pod, Picture picture) {
        var rest = without(pod, picture);
        return opinions(pod, (advocate, each) -> complete(advocate, advocate.answer(each, rest.as(advocate))));
    }

    private List<Opinion> opinions(Pod pod, BiFunction<Advocate, Pod, Answer> asked) {
        return lookout.advocates().stream()
                .filter(advocate -> advocate.takes(pod))
                .map(advocate -> new Opinion(advocate.door(), advocate.asks(pod), asked.apply(advocate, pod)))
                .toList();
    }

    /** What the pod has already does not stand in its own way. */
    private static Picture without(Pod pod, Picture picture) {
        var own = holds(pod, picture).stream()
                .collect(Collectors.groupingBy(Holding::node, Collectors.mapping(Holding::entry, Collectors.toList())));
        return picture.without(
                own, node(pod).map(_ -> pod.getMetadata().getUid()).orElse(""));
    }

    /** A refusal speaks of every node of the cluster, also of those that the door has never looked at. */
    private Answer complete(Advocate advocate, Answer answer) {
        if (!(answer instanceof Answer.Waits(var objections))) {
            return answer;
        }
        Map<NodeName, Objection> all = new HashMap<>(objections);
        for (var node : lookout.nodes().all()) {
            all.computeIfAbsent(
                    new NodeName(node.getMetadata().getName()),
                    _ -> Objection.unsuited(
                            "no devices for this door",
                            "no devices are published to the " + advocate.door().label(),
                            ""));
        }
        return new Answer.Waits(all);
    }

    public NodeReport node(Node node, Picture picture) {
        var name = new NodeName(node.getMetadata().getName());
        return new NodeCells(lookout, name, node).report(picture.ledger().of(name));
    }
}
