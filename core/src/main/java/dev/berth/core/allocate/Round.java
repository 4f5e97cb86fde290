package dev.berth.core.allocate;

import dev.berth.core.NodeName;
import dev.berth.core.demand.Demand;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One question, asked of every node by name. The best answer is the one with the earliest choices, then with the lowest
 * rank by the policy, then with the lowest name.
 */
final class Round {
    private final Roster roster;
    private final Plan plan;
    private final Answered answered;
    private final Demand demand;
    private final Policy policy;
    private final Deadline deadline;
    private final @Nullable Reason[] reasons;
    private Plan.@Nullable Fits best;
    /** How many nodes have the devices. */
    private int having;

    Round(Roster roster, Plan plan, Answered answered, Demand demand, Policy policy, Deadline deadline) {
        this.roster = roster;
        this.plan = plan;
        this.answered = answered;
        this.demand = demand;
        this.policy = policy;
        this.deadline = deadline;
        this.reasons = new @Nullable Reason[roster.size()];
    }

    Verdict run() {
        answered.seat(roster);
        for (int place = 0; place < roster.size(); place++) {
            var node = roster.state(place);
            var known = answered.of(place, node);
            if (known != null) {
                weigh(place, known);
            } else if (willDo(place)) {
                ask(place, node);
            }
            var found = best;
            if (found != null && policy.takesTheFirst() && found.found().firstChoices()) {
                return placement(found);
            }
        }
        var found = best;
        return found == null ? refusal() : placement(found);
    }

    /** Whether the node can take the pod, its devices aside. */
    private boolean willDo(int place) {
        var unfit = demand.nodes().refuses(roster.state(place).name());
        unfit.ifPresent(words -> reasons[place] = new Reason.Unfit(words));
        return unfit.isEmpty();
    }

    private void ask(int place, NodeState node) {
        try {
            var known = plan.ask(node, answered.at(place), deadline);
            answered.keep(place, known);
            switch (known) {
                case Plan.FitsNot not -> reasons[place] = not.reason();
                case Plan.Fits fits -> {
                    having++;
                    if (isBetter(fits)) {
                        best = fits;
                    }
                }
            }
        } catch (OutOfTime late) {
            reasons[place] = new Reason.Deadline(deadline.allowed());
        }
    }

    /** What was known before costs next to nothing, so that the node itself is looked at only if it would be chosen. */
    private void weigh(int place, Plan.Known known) {
        if (known instanceof Plan.Fits fits) {
            having++;
            if (isBetter(fits) && willDo(place)) {
                best = fits;
            }
        }
    }

    private boolean isBetter(Plan.Fits fits) {
        return best == null || compare(fits, best) < 0;
    }

    /** For each node why it cannot take the pod, or what its devices lack. */
    private Refusal refusal() {
        var perNode = new LinkedHashMap<NodeName, Reason>();
        for (int place = 0; place < reasons.length; place++) {
            if (reasons[place] == null
                    && willDo(place)
                    && answered.at(place).orElse(null) instanceof Plan.FitsNot not) {
                reasons[place] = not.reason();
            }
            var reason = reasons[place];
            if (reason != null) {
                perNode.put(roster.state(place).name(), reason);
            }
        }
        return new Refusal(perNode);
    }

    private static int compare(Plan.Fits one, Plan.Fits other) {
        int choices = compare(one.found().ranks(), other.found().ranks());
        return choices != 0 ? choices : one.rank().compareTo(other.rank());
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int ask = 0; ask < one.size(); ask++) {
            int order = Integer.compare(one.get(ask), other.get(ask));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private Placement placement(Plan.Fits fits) {
        var why = policy.takesTheFirst()
                ? "%s: the first node by name that will do".formatted(policy.name())
                : having == 1
                        ? "the only node that has the devices"
                        : "%s: the best of %d nodes that have the devices".formatted(policy.name(), having);
        return new Placement(fits.state().name(), fits.grants(), why);
    }
}
