package dev.berth.kube.fit;

import dev.berth.core.NodeName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why no node would do, in kube-scheduler's style: how many nodes, and each reason with how many nodes it concerns. One
 * of them is named with its numbers, as long as all fits into the kilobyte that an event may have.
 */
public final class NodeReasons {
    private static final int LONGEST = 1000;
    private static final int LAST_WORDS = 40;

    /** One reason, the nodes it concerns, and what it comes to on the first of them. */
    private record Group(String sentence, List<NodeName> nodes, String evidence) {
        String text(boolean withEvidence) {
            return withEvidence && !evidence.isEmpty()
                    ? "%d %s (%s: %s)".formatted(nodes.size(), sentence, nodes.getFirst(), evidence)
                    : "%d %s".formatted(nodes.size(), sentence);
        }
    }

    private final Map<String, Group> groups = new LinkedHashMap<>();

    /**
     * @param sentence without names or numbers: nodes are grouped by it
     * @param evidence names and numbers; may be empty
     */
    public void add(NodeName node, String sentence, String evidence) {
        groups.computeIfAbsent(sentence, _ -> new Group(sentence, new ArrayList<>(), evidence))
                .nodes()
                .add(node);
    }

    public void add(NodeName node, List<Unfit> reasons) {
        reasons.forEach(reason -> add(node, reason.sentence(), reason.detail()));
    }

    /** @param nodes how many were looked at */
    public String note(int nodes) {
        if (nodes == 0) {
            return "no nodes available to schedule pods";
        }
        var sorted = groups.values().stream()
                .sorted((a, b) -> a.text(false).compareTo(b.text(false)))
                .toList();
        var head = "0/%d nodes are available: ".formatted(nodes);
        var full = head
                + String.join(
                        ", ", sorted.stream().map(group -> group.text(true)).toList()) + ".";
        return length(full) <= LONGEST ? full : shortened(head, sorted);
    }

    private static String shortened(String head, List<Group> sorted) {
        var text = new StringBuilder(head);
        int shown = 0;
        for (var group : sorted) {
            var part = (shown == 0 ? "" : ", ") + group.text(false);
            if (length(text.toString()) + length(part) > LONGEST - LAST_WORDS) {
                break;
            }
            text.append(part);
            shown++;
        }
        return text.append(shown < sorted.size() ? ", and %d more reasons.".formatted(sorted.size() - shown) : ".")
                .toString();
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
