package dev.berth.core.allocate;

import dev.berth.core.demand.Demand;
import dev.berth.core.policy.NodeView;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that was found out for demands of one kind under one policy. An answer is kept until its node changes; nodes that
 * look alike share one search.
 */
final class Plan {
    private static final int MOST_SHAPES = 20_000;

    private final Demand demand;
    private final Question question;
    private final Policy policy;
    private final FilterMemory filters;
    private final Numbering numbering = new Numbering();
    private final Map<List<Object>, Outcome> byShape = new HashMap<>();

    Plan(Demand demand, Policy policy, FilterMemory filters) {
        this.demand = demand;
        this.question = new Question(demand, policy.devices().isPresent());
        this.policy = policy;
        this.filters = filters;
    }

    /** What is known about one node in one state. */
    sealed interface Known {
        NodeState state();

        Suitability suitability();
    }

    record Fits(NodeState state, Suitability suitability, Outcome.Found found, List<Grant> grants, Policy.Rank rank)
            implements Known {}

    record FitsNot(NodeState state, Suitability suitability, Reason reason) implements Known {}

    /**
     * What is true of the node now.
     *
     * @param before what was known of it, of any state
     * @throws OutOfTime if the deadline came before the answer
     */
    Known ask(NodeState node, Optional<Known> before, Deadline deadline) {
        if (before.isPresent() && before.get().state() == node) {
            return before.get();
        }
        var suitability = before.filter(known -> sameDevices(known.state(), node))
                .map(Known::suitability)
                .orElseGet(() -> new Suitability(
                        question, node.slots(), !node.network().slots().isEmpty(), filters, numbering));
        var board = new Board(node, suitability, numbering);
        var outcome = outcome(suitability, board, deadline);
        return switch (outcome) {
            case Outcome.None() ->
                new FitsNot(node, suitability, new Diagnosis(question, suitability, node, board, filters).reason());
            case Outcome.Found found -> {
                var grants = grants(node, found);
                yield new Fits(node, suitability, found, grants, policy.rank(view(node, suitability), grants, demand));
            }
        };
    }

    @SuppressWarnings("ReferenceEquality") // an equal list that is another object is asked again: rare, and harmless
    private static boolean sameDevices(NodeState before, NodeState now) {
        return before.shelf() == now.shelf()
                && before.network().shelves() == now.network().shelves();
    }

    private Outcome outcome(Suitability suitability, Board board, Deadline deadline) {
        if (byShape.size() > MOST_SHAPES) {
            byShape.clear();
        }
        var shape = List.<Object>of(suitability.shape(), board.conditions());
        var known = byShape.get(shape);
        if (known != null) {
            return known;
        }
        if (deadline.over()) {
            throw new OutOfTime();
        }
        var found = new NodeSearch(question, suitability, board, policy.devices(), deadline.slice()).run();
        byShape.put(shape, found);
        return found;
    }

    private List<Grant> grants(NodeState node, Outcome.Found found) {
        var grants = new ArrayList<Grant>(found.picks().size());
        for (var pick : found.picks()) {
            var choice = question.choices().get(pick.choice());
            var slot = node.slots().get(pick.slot());
            grants.add(new Grant(
                    question.asks().get(choice.ask()).name(),
                    choice.choice().name(),
                    slot.place(),
                    slot.device(),
                    pick.share(),
                    choice.choice().admin()));
        }
        return List.copyOf(grants);
    }

    private NodeView view(NodeState node, Suitability suitability) {
        int matching = 0;
        for (int slot = 0; slot < node.slots().size(); slot++) {
            if (node.slots().get(slot).untouched() && suitsSome(suitability, slot)) {
                matching++;
            }
        }
        return new NodeView(node.name(), node.views(), matching);
    }

    private boolean suitsSome(Suitability suitability, int slot) {
        return question.choices().stream().anyMatch(choice -> suitability.suits(choice.number(), slot));
    }
}
