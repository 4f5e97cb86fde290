package dev.berth.kube.scheduler;

import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeReasons;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The nodes that can take a pod, the best first: the one that keeps the largest part of what the pod asks for free,
 * then the one with the fewest pods, then the first by name.
 *
 * @param fitting empty if there is none
 * @param reasons what speaks against the others
 * @param nodes how many were looked at
 */
record Choice(List<NodeRoom> fitting, NodeReasons reasons, int nodes) {
    static Choice of(PodNeeds pod, Collection<NodeRoom> nodes, Function<String, Map<String, String>> namespaceLabels) {
        var fit = Fit.of(pod, nodes, namespaceLabels);
        var fitting = new ArrayList<NodeRoom>();
        var reasons = new NodeReasons();
        for (var node : nodes.stream()
                .sorted(Comparator.comparing(node -> node.name().value()))
                .toList()) {
            var against = fit.against(node);
            if (against.isEmpty()) {
                fitting.add(node);
            } else {
                reasons.add(node.name(), against);
            }
        }
        // The sort is stable, so equally good ones stay in the order of their names.
        fitting.sort(Comparator.comparingDouble((NodeRoom node) -> -roomLeft(pod, node))
                .thenComparingInt(node -> node.pods().size()));
        return new Choice(List.copyOf(fitting), reasons, nodes.size());
    }

    /** Without the nodes against which this has something to say; the words join the reasons. */
    Choice without(String sentence, Function<NodeRoom, Optional<String>> against) {
        var rest = new ArrayList<NodeRoom>();
        for (var node : fitting) {
            against.apply(node)
                    .ifPresentOrElse(words -> reasons.add(node.name(), sentence, words), () -> rest.add(node));
        }
        return new Choice(List.copyOf(rest), reasons, nodes);
    }

    private static double roomLeft(PodNeeds pod, NodeRoom node) {
        var counted = new TreeSet<>(pod.requests().amounts().keySet());
        counted.add(Resources.CPU);
        counted.add(Resources.MEMORY);
        return counted.stream()
                .filter(resource -> node.allocatable().of(resource) > 0)
                .mapToDouble(resource -> {
                    long all = node.allocatable().of(resource);
                    return (double) (all
                                    - node.taken().of(resource)
                                    - pod.requests().of(resource))
                            / all;
                })
                .average()
                .orElse(0);
    }
}
