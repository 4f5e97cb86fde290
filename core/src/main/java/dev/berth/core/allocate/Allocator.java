package dev.berth.core.allocate;

import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Demand;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds each demand its place: complete, deterministic, and quick where little changed since the last question. It
 * remembers answers from one question to the next, and is asked by one thread at a time: a second one waits.
 */
public final class Allocator {
    /** What an answer about one node takes where no two nodes are alike, measured. */
    private static final int BYTES_AN_ANSWER = 700;

    /** How many answers are kept in all, over all kinds of demands: as many as fit into a quarter of the heap. */
    private static final int MOST_ANSWERS =
            (int) Math.min(400_000, Runtime.getRuntime().maxMemory() / 4 / BYTES_AN_ANSWER);

    private static final int FEWEST_PLANS = 4;

    private final Roster roster = new Roster();
    private final FilterMemory filters = new FilterMemory();
    private final LinkedHashMap<Kind, Answers> plans = new LinkedHashMap<>(16, 0.75f, true);

    /** What demands that ask for the same have in common. */
    private record Kind(List<Ask> asks, List<Constraint> constraints, Policy policy) {}

    /** A plan and what it says of each node, by the node's place in the roster. */
    private record Answers(Plan plan, Answered answered) {}

    public synchronized Verdict place(
            Inventory inventory, Ledger ledger, Demand demand, Policy policy, Deadline deadline) {
        roster.update(inventory, ledger);
        var answers = answers(demand, policy);
        return new Round(roster, answers.plan(), answers.answered(), demand, policy, deadline).run();
    }

    /** The same on one node alone, with nothing remembered: for a decision that is made again under a lock. */
    public static Verdict placeOn(
            NodeName node, Inventory inventory, Ledger ledger, Demand demand, Policy policy, Deadline deadline) {
        var shelf = inventory.shelf(node);
        if (shelf.isEmpty()) {
            return new Refusal(Map.of(node, new Reason.Unfit("no such node")));
        }
        var roster = new Roster();
        roster.only(new NodeState(node, shelf.get(), ledger.of(node), Network.of(inventory, ledger)));
        return new Round(roster, new Plan(demand, policy, new FilterMemory()), new Answered(), demand, policy, deadline)
                .run();
    }

    private Answers answers(Demand demand, Policy policy) {
        if (policy.ranksEachDemandAnew()) {
            return new Answers(new Plan(demand, policy, filters), new Answered());
        }
        var answers = plans.computeIfAbsent(
                new Kind(demand.asks(), demand.constraints(), policy),
                unseen -> new Answers(new Plan(demand, policy, filters), new Answered()));
        int most = Math.max(FEWEST_PLANS, MOST_ANSWERS / Math.max(1, roster.size()));
        while (plans.size() > most) {
            plans.pollFirstEntry();
        }
        return answers;
    }
}
