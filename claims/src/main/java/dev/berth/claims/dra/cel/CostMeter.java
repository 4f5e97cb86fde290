package dev.berth.claims.dra.cel;

import dev.cel.common.ast.CelExpr;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counts what one evaluation costs, and ends it at the limit. */
final class CostMeter {
    /** What Kubernetes allows a selector (CELSelectorExpressionMaxCost). */
    static final long LIMIT = 1_000_000;

    /** To read a text costs a tenth of its length, to read a list its length: beyond these nobody could. */
    private static final int LONGEST_TEXT = 10_000_000;

    private static final int LONGEST_LIST = 1_000_000;

    /** A failure that the expression survives takes as long as this many other steps. */
    private static final int FAILURE = 50;

    private final CostPlan plan;
    private final Object[] values;
    private List<CostPlan.Step> expected = List.of();
    private long cost;

    CostMeter(CostPlan plan) {
        this.plan = plan;
        this.values = new Object[plan.slots()];
    }

    long cost() {
        return cost;
    }

    /** Hears the value of each part of the expression, innermost first. */
    void heard(CelExpr expression, Object value) {
        if (isTooLarge(value)) {
            throw new CostLimitError(LIMIT);
        }
        plan.step(expression).ifPresent(step -> {
            if (!expected.isEmpty() && !expected.contains(step)) {
                add(FAILURE);
            }
            expected = step.parents();
            values[step.slot()] = value;
            add(step.cost(value));
            step.itself().ifPresent(this::charge);
            step.next().ifPresent(this::charge);
        });
    }

    private void charge(CostPlan.Call call) {
        var arguments = new ArrayList<Object>(call.slots().size());
        for (int slot : call.slots()) {
            arguments.add(values[slot]);
        }
        add(CallCosts.of(call, arguments));
    }

    private void add(long more) {
        cost += Math.min(more, LIMIT + 1);
        if (cost > LIMIT) {
            throw new CostLimitError(LIMIT);
        }
    }

    private static boolean isTooLarge(Object value) {
        return switch (value) {
            case String text -> text.length() > LONGEST_TEXT;
            case Collection<?> list -> list.size() > LONGEST_LIST;
            case Map<?, ?> map -> map.size() > LONGEST_LIST;
            default -> false;
        };
    }
}
