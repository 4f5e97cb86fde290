package dev.berth.claims.scheduler;

import dev.berth.core.NodeName;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Words;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A refusal in kube-scheduler's style: how many nodes, and each reason with how many nodes it concerns. One of them is
 * named with its numbers, as long as all fits into the kilobyte that an event may have.
 */
final class RefusalNote {
    private static final int LONGEST = 1000;

    /** One reason, the nodes it concerns, and what it comes to on the first of them. */
    private record Group(String sentence, List<NodeName> nodes, String evidence) {
        String text(boolean withEvidence) {
            return withEvidence && !evidence.isEmpty()
                    ? "%d %s (%s: %s)".formatted(nodes.size(), sentence, nodes.getFirst(), evidence)
                    : "%d %s".formatted(nodes.size(), sentence);
        }
    }

    private RefusalNote() {}

    static String of(Refusal refusal, Shortlist shortlist) {
        int nodes = refusal.perNode().size();
        if (nodes == 0) {
            return "no nodes available to schedule pods";
        }
        var groups = groups(refusal, shortlist);
        var head = "0/%d nodes are available: ".formatted(nodes);
        var full = head + joined(groups, true);
        if (length(full) <= LONGEST) {
            return full;
        }
        var text = new StringBuilder(head);
        int shown = 0;
        for (var group : groups) {
            var part = (shown == 0 ? "" : ", ") + group.text(false);
            if (length(text.toString()) + length(part) > LONGEST - 40) {
                break;
            }
            text.append(part);
            shown++;
        }
        return text.append(shown < groups.size() ? ", and %d more reasons.".formatted(groups.size() - shown) : ".")
                .toString();
    }

    /** What kinds of reasons there were, for metrics. */
    static List<String> codes(Refusal refusal, Shortlist shortlist) {
        var codes = new ArrayList<String>();
        refusal.perNode().forEach((node, reason) -> {
            var own = shortlist.against(node);
            if (own.isEmpty()) {
                codes.add(code(reason));
            } else {
                own.forEach(unfit -> codes.add(unfit.code()));
            }
        });
        return codes.stream().distinct().sorted().toList();
    }

    private static String code(Reason reason) {
        var name = reason.getClass().getSimpleName();
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    private static List<Group> groups(Refusal refusal, Shortlist shortlist) {
        Map<String, Group> groups = new LinkedHashMap<>();
        refusal.perNode().forEach((node, reason) -> {
            var own = shortlist.against(node);
            if (own.isEmpty()) {
                add(groups, "node(s) where " + Words.of(reason), node, "");
            } else {
                own.forEach(unfit -> add(groups, unfit.sentence(), node, unfit.detail()));
            }
        });
        return groups.values().stream()
                .sorted((a, b) -> a.text(false).compareTo(b.text(false)))
                .toList();
    }

    private static void add(Map<String, Group> groups, String sentence, NodeName node, String evidence) {
        groups.computeIfAbsent(sentence, _ -> new Group(sentence, new ArrayList<>(), evidence))
                .nodes()
                .add(node);
    }

    private static String joined(List<Group> groups, boolean withEvidence) {
        return String.join(
                        ", ",
                        groups.stream().map(group -> group.text(withEvidence)).toList())
                + ".";
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
