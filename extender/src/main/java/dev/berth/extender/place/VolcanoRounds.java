package dev.berth.extender.place;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Volcano asks about a pod node by node, and never says what it made of the answers. A node that it asks about a second
 * time begins a new round: the decision of the last one was not followed, and the pod is decided on anew.
 */
final class VolcanoRounds {
    private static final int MOST_PODS = 10_000;

    private final Map<String, Round> rounds = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Round> eldest) {
            return size() > MOST_PODS;
        }
    };

    /** One walk of Volcano over the nodes. */
    private static final class Round {
        private final CompletableFuture<Outcome> decision = new CompletableFuture<>();
        private final Set<String> asked = new HashSet<>();
        /** The node that was chosen in the round before, and not taken. */
        private String refused = "";
    }

    /** @param decide decides over these nodes, or over all if there are none */
    CompletableFuture<Outcome> ask(String pod, String node, Function<List<String>, Outcome> decide) {
        Round round;
        List<String> only = List.of();
        synchronized (this) {
            var last = rounds.get(pod);
            if (last != null && !over(last) && last.asked.add(node)) {
                return last.decision;
            }
            round = new Round();
            round.asked.add(node);
            rounds.put(pod, round);
            if (last != null && last.decision.isDone() && last.decision.join() instanceof Outcome.Chosen chosen) {
                only = instead(last, chosen.node().name());
                round.refused = chosen.node().name();
            }
        }
        var nodes = only;
        Thread.ofVirtual().name("volcano-" + pod).start(() -> complete(round, nodes, decide));
        return round.decision;
    }

    /** Nothing was decided, so there is nothing that others could hear of. */
    private static boolean over(Round round) {
        return round.decision.isDone() && round.decision.join() instanceof Outcome.Undecided;
    }

    /**
     * Volcano asked about other nodes and not about the one that was chosen, or did not take it twice: something else
     * speaks against it, so the next choice is among the others that it asked about.
     */
    private static List<String> instead(Round last, String chosen) {
        return last.asked.contains(chosen) && !last.refused.equals(chosen)
                ? List.of()
                : last.asked.stream().filter(node -> !node.equals(chosen)).toList();
    }

    private static void complete(Round round, List<String> nodes, Function<List<String>, Outcome> decide) {
        try {
            round.decision.complete(decide.apply(nodes));
        } catch (RuntimeException | Error bug) {
            round.decision.complete(new Outcome.Undecided("an error of its own; the log has the cause"));
            throw bug;
        }
    }
}
