package dev.berth.kube.explain;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be said about one pod.
 *
 * @param node where it is bound
 * @param since when it was created
 * @param holds what it holds, by the ledgers and by the doors' own records
 * @param opinions what each door that takes such a pod would do; empty for one that is bound or over
 */
public record PodReport(
        String namespace,
        String name,
        String phase,
        Optional<String> node,
        Optional<Instant> since,
        List<Holding> holds,
        List<Opinion> opinions) {
    /** A line of a node's page. */
    public record Holding(NodeName node, Entry entry) {}

    /**
     * One door's word.
     *
     * @param asks what the pod asks of it, in a few words
     */
    public record Opinion(Door door, String asks, Answer answer) {}

    public PodReport {
        holds = List.copyOf(holds);
        opinions = List.copyOf(opinions);
    }

    public boolean over() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Whether it has a node, or one door at least would find it one. */
    public boolean fits() {
        return node.isPresent() || opinions.stream().anyMatch(each -> each.answer() instanceof Answer.Fits);
    }
}
