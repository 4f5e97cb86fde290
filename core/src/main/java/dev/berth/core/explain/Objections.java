package dev.berth.core.explain;

import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import dev.berth.core.verdict.Words;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The engine's reasons as objections. */
public final class Objections {
    private static final String TAKEN = "taken";

    private Objections() {}

    /**
     * The engine's answer for people.
     *
     * @param unfit what to make of a node that itself will not do, given the node and the sentence
     */
    public static Answer of(Verdict verdict, BiFunction<NodeName, String, Objection> unfit) {
        return switch (verdict) {
            case Placement placement ->
                new Answer.Fits(
                        placement.node(),
                        placement.grants().stream()
                                .map(grant -> grant.device().id().value())
                                .toList(),
                        placement.why(),
                        Map.of());
            case Refusal refusal -> {
                Map<NodeName, Objection> objections = new TreeMap<>();
                refusal.perNode().forEach((node, reason) -> objections.put(node, of(node, reason, unfit)));
                yield new Answer.Waits(objections);
            }
        };
    }

    public static Objection of(NodeName node, Reason reason, BiFunction<NodeName, String, Objection> unfit) {
        var words = Words.of(reason);
        return switch (reason) {
            case Reason.Unfit(var sentence) -> unfit.apply(node, sentence);
            case Reason.NoDevices() -> Objection.unsuited("no devices", words, "");
            case Reason.TooFew(var _, int wanted, var tally) -> tooFew(node, wanted, tally, words);
            case Reason.NotAll(var _, var tally) ->
                Objection.taken(TAKEN, words, tally.taken(), free(node, tally.taken(), tally.holders()));
            case Reason.TooLittle(var _, var capacity, var wanted, var left) ->
                Objection.taken(
                        "too little %s left".formatted(capacity),
                        words,
                        1,
                        "free %s %s on %s, or ask for %s".formatted(wanted.minus(left), capacity, node, left));
            case Reason.NoneAgree(var attribute, int wanted, int best, var _) ->
                Objection.taken(
                        "too few free devices with the same " + attribute,
                        words,
                        wanted - best,
                        "free %d more of one %s on %s".formatted(wanted - best, attribute, node));
            case Reason.NoneDiffer(var attribute, int wanted, int values) ->
                Objection.taken(
                        "too few free devices that differ in " + attribute,
                        words,
                        Math.max(1, wanted - values),
                        "free a device with another %s on %s".formatted(attribute, node));
            case Reason.TooMany _ -> Objection.unsuited("more devices than a claim can have", words, "");
            case Reason.Overdrawn(var counter, var wanted, var left) ->
                Objection.taken(
                        "too little of the shared %s left".formatted(counter.name()),
                        words,
                        1,
                        "free %s of %s on %s".formatted(wanted.minus(left), counter.name(), node));
            case Reason.NotTogether _ ->
                Objection.taken("not all asks at once", words, 1, "free one more device on %s".formatted(node));
            case Reason.Deadline _ -> Objection.ofNode("no answer in time", words, "ask again");
        };
    }

    private static Objection tooFew(NodeName node, int wanted, Reason.Tally tally, String words) {
        int suited = tally.looked() - tally.unsuited();
        if (tally.looked() == 0) {
            return Objection.unsuited("no devices", words, "");
        }
        if (suited == 0) {
            var why = tally.unsuitable().map(Reason.Example::why).orElse("other devices than asked for");
            return Objection.unsuited(why, words, "");
        }
        if (suited < wanted) {
            return Objection.unsuited("too few devices that suit", words, "ask for at most %d".formatted(suited));
        }
        int missing = Math.max(1, wanted - tally.free());
        if (tally.taken() == 0 && tally.tooSmall() == 0) {
            return Objection.ofNode("devices are tainted", words, "take the taint off, or tolerate it");
        }
        var group = tally.taken() > 0 ? TAKEN : "too little left";
        return Objection.taken(group, words, missing, free(node, missing, tally.holders()));
    }

    /** What has to go, and who could go. */
    public static String free(NodeName node, int count, List<Holder> holders) {
        var who = holders.stream()
                .map(holder -> holder.name().isEmpty() ? holder.namespace() + "/?" : holder.toString())
                .distinct()
                .collect(Collectors.joining(", "));
        return "free %d %s on %s%s"
                .formatted(count, count == 1 ? "GPU" : "GPUs", node, who.isEmpty() ? "" : ": wait for " + who);
    }
}
