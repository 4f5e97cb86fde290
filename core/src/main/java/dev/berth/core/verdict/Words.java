package dev.berth.core.verdict;

import dev.berth.core.NodeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The one place that turns a reason into the sentence that events, logs, pages and commands show. */
public final class Words {
    private Words() {}

    public static String of(Reason reason) {
        return switch (reason) {
            case Reason.Unfit(var sentence) -> sentence;
            case Reason.NoDevices() -> "no devices";
            case Reason.TooFew(var ask, int wanted, var tally) ->
                "%s wants %s, %s".formatted(ask, devices(wanted), of(tally));
            case Reason.NotAll(var ask, var tally) -> "%s wants every device that suits, %s".formatted(ask, of(tally));
            case Reason.TooLittle(var ask, var capacity, var wanted, var left) ->
                "%s wants %s %s, at most %s is left".formatted(ask, wanted, capacity, left);
            case Reason.NoneAgree(var attribute, int wanted, int best, var value) ->
                best == 0
                        ? "%s with the same %s wanted, no free one has it".formatted(devices(wanted), attribute)
                        : "%s with the same %s wanted, at most %d free agree (%s=%s)"
                                .formatted(devices(wanted), attribute, best, attribute, value);
            case Reason.NoneDiffer(var attribute, int wanted, int values) ->
                "%s that differ in %s wanted, the free ones have %d different values"
                        .formatted(devices(wanted), attribute, values);
            case Reason.TooMany(int wanted, int limit) ->
                "%s wanted at once, at most %d are given".formatted(devices(wanted), limit);
            case Reason.Overdrawn(var counter, var wanted, var left) ->
                "%s of the shared %s wanted, %s left".formatted(wanted, counter.name(), left);
            case Reason.NotTogether(var asks) ->
                asks.size() == 1
                        ? "%s finds devices, but none that fit together".formatted(asks.getFirst())
                        : "%s can each be met, but not all at once".formatted(String.join(", ", asks));
            case Reason.Deadline(var allowed) -> "no answer within %d ms".formatted(allowed.toMillis());
        };
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    private static String of(Reason.Tally tally) {
        if (tally.looked() == 0) {
            return "the node has none";
        }
        var parts = new ArrayList<String>();
        if (tally.unsuited() > 0) {
            parts.add("%d unsuitable%s"
                    .formatted(
                            tally.unsuited(),
                            tally.unsuitable()
                                    .map(example -> " (%s: %s)".formatted(example.device(), example.why()))
                                    .orElse("")));
        }
        if (tally.tainted() > 0) {
            parts.add(tally.tainted() + " tainted");
        }
        if (tally.taken() > 0) {
            var holders = tally.holders().stream().map(Object::toString).collect(Collectors.joining(", "));
            parts.add("%d held%s".formatted(tally.taken(), holders.isEmpty() ? "" : " by " + holders));
        }
        if (tally.tooSmall() > 0) {
            parts.add("%d with too little left".formatted(tally.tooSmall()));
        }
        parts.add("%d free".formatted(tally.free()));
        return "of %d: %s".formatted(tally.looked(), String.join(", ", parts));
    }

    /** A refusal in kube-scheduler's style: how many nodes, and each reason with its nodes, the commonest first. */
    public static String of(Refusal refusal) {
        int nodes = refusal.perNode().size();
        if (nodes == 0) {
            return "no nodes are known";
        }
        var byReason = new LinkedHashMap<String, List<NodeName>>();
        refusal.perNode()
                .forEach((node, reason) -> byReason.computeIfAbsent(of(reason), sentence -> new ArrayList<>())
                        .add(node));
        return "0/%d nodes are available: %s."
                .formatted(
                        nodes,
                        byReason.entrySet().stream()
                                .sorted(Map.Entry.comparingByValue((a, b) -> Integer.compare(b.size(), a.size())))
                                .map(entry -> "%s: %s".formatted(names(entry.getValue()), entry.getKey()))
                                .collect(Collectors.joining("; ")));
    }

    private static String names(List<NodeName> nodes) {
        return switch (nodes.size()) {
            case 1 -> nodes.getFirst().value();
            case 2 -> "%s and %s".formatted(nodes.getFirst(), nodes.getLast());
            default -> "%d nodes (%s, …)".formatted(nodes.size(), nodes.getFirst());
        };
    }
}
