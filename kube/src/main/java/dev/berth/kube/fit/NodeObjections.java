package dev.berth.kube.fit;

import dev.berth.core.NodeName;
import dev.berth.core.explain.Objection;
import java.util.List;
import java.util.stream.Collectors;

/** What a node itself lacks, as people are told of it, with what would help. */
public final class NodeObjections {
    private NodeObjections() {}

    public static Objection of(NodeName node, List<Unfit> unfit) {
        return of(node, unfit.stream().map(Unfit::words).collect(Collectors.joining(", ")));
    }

    /** @param words those of an {@link Unfit}, or of several */
    public static Objection of(NodeName node, String words) {
        if (words.startsWith(Cordon.UNSCHEDULABLE)) {
            return Objection.ofNode("cordoned", words, "kubectl uncordon " + node);
        }
        if (words.startsWith(Readiness.NOT_READY)) {
            return Objection.ofNode("not ready", words, "bring %s back: its kubelet does not report".formatted(node));
        }
        if (words.startsWith(Taints.UNTOLERATED)) {
            return Objection.ofNode("untolerated taint", words, "tolerate the taint, or take it off " + node);
        }
        if (words.startsWith(NodeSelection.NO_MATCH) || words.startsWith(RequestedNode.OTHER)) {
            return Objection.ofNode(
                    "not among the nodes that the pod selects",
                    words,
                    "change the pod's node selector or affinity, or the labels of " + node);
        }
        if (words.startsWith(FreeResources.INSUFFICIENT) || words.startsWith(FreeResources.TOO_MANY_PODS)) {
            return Objection.ofNode(bare(words), words, "free it on %s, or ask for less".formatted(node));
        }
        return Objection.ofNode(bare(words), words, "");
    }

    /** Without the evidence in brackets. */
    private static String bare(String words) {
        return words.replaceAll(" \\([^()]*\\)", "");
    }
}
