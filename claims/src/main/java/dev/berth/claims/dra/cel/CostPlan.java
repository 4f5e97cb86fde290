package dev.berth.claims.dra.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What each part of an expression costs, as Kubernetes counts (cel-go's runtime cost): a variable, a field and an index
 * cost one each, a list that is made ten, a map thirty, constants nothing, and a call what {@link CallCosts} says.
 *
 * <p>A variable costs nothing where it stands bare in a branch of {@code ?:} or in an index: cel-go does not look
 * there.
 */
final class CostPlan {
    private static final Set<String> CONVERSIONS =
            Set.of("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint");
    private static final Set<String> INDEXES = Set.of("_[_]", "_[?_]", "_?._");
    private static final String CONDITION = "_?_:_";
    private static final int LIST = 10;
    private static final int MAP = 30;
    private static final int STRUCT = 40;

    private final CelAbstractSyntaxTree tree;
    private final Map<Long, Step> steps = new HashMap<>();
    private int slots;
    private String accumulator = "";

    /** What an expression costs once it has been evaluated, and the call that comes next. */
    static final class Step {
        private final int slot;
        private int cost;
        private boolean onlyIfThere;
        private final List<Step> parents = new ArrayList<>();
        private Optional<Call> next = Optional.empty();
        private Optional<Call> itself = Optional.empty();

        private Step(int slot) {
            this.slot = slot;
        }

        private void leadsTo(Step parent, Optional<Call> call) {
            if (parents.isEmpty()) {
                next = call;
            } else if (!parents.contains(parent)) {
                // A macro may use one expression twice: then nobody knows which call comes next.
                next.ifPresent(other -> parents.getFirst().itself = Optional.of(other));
                next = Optional.empty();
                parent.itself = call;
            }
            parents.add(parent);
        }

        /** The expressions of which one comes right after this one, unless it fails; none where it is not known. */
        List<Step> parents() {
            return parents;
        }

        /** Where its value is kept. */
        int slot() {
            return slot;
        }

        int cost(Object value) {
            return onlyIfThere && value instanceof Optional<?> optional && optional.isEmpty() ? 0 : cost;
        }

        /** The call of which this is the last argument: it is charged before it runs. */
        Optional<Call> next() {
            return next;
        }

        /** This expression, where it is a call that could not be charged before. */
        Optional<Call> itself() {
            return itself;
        }
    }

    /** @param overload which of the function's forms is meant; empty where only the values can tell */
    record Call(String function, String overload, boolean grows, List<Integer> slots) {}

    private CostPlan(CelAbstractSyntaxTree tree) {
        this.tree = tree;
    }

    static CostPlan of(CelAbstractSyntaxTree checked) {
        var plan = new CostPlan(checked);
        plan.visit(checked.getExpr(), false);
        return plan;
    }

    Optional<Step> step(CelExpr expression) {
        return Optional.ofNullable(steps.get(expression.id()));
    }

    int slots() {
        return slots;
    }

    private Step at(CelExpr expression) {
        return steps.computeIfAbsent(expression.id(), _ -> new Step(slots++));
    }

    private void visit(CelExpr expression, boolean bare) {
        Step step = at(expression);
        if (isConstant(expression)) {
            return;
        }
        switch (expression.getKind()) {
            case IDENT -> step.cost = bare || isType(expression) ? 0 : 1;
            case SELECT -> {
                var select = expression.select();
                step.cost = select.testOnly() ? 0 : 1;
                within(step, select.operand(), bare);
                at(select.operand()).leadsTo(step, Optional.empty());
            }
            case CALL -> call(step, expression, bare);
            case LIST -> {
                step.cost = LIST;
                expression.list().elements().forEach(element -> visit(element, false));
            }
            case MAP -> {
                step.cost = MAP;
                expression.map().entries().forEach(entry -> {
                    visit(entry.key(), false);
                    visit(entry.value(), false);
                });
            }
            case STRUCT -> {
                step.cost = STRUCT;
                expression.struct().entries().forEach(entry -> visit(entry.value(), false));
            }
            case COMPREHENSION -> loop(expression);
            case CONSTANT, NOT_SET -> {}
        }
    }

    /** A field or an index: of a value that was not just looked up itself, it costs one more. */
    private void within(Step step, CelExpr operand, boolean bare) {
        if (isLookup(operand)) {
            visit(operand, bare);
        } else {
            step.cost += bare ? 0 : 1;
            visit(operand, false);
        }
    }

    private void loop(CelExpr expression) {
        var loop = expression.comprehension();
        visit(loop.iterRange(), false);
        visit(loop.accuInit(), false);
        visit(loop.loopCondition(), false);
        String outer = accumulator;
        accumulator = loop.accuVar();
        visit(loop.loopStep(), false);
        accumulator = outer;
        visit(loop.result(), false);
    }

    private void call(Step step, CelExpr expression, boolean bare) {
        var call = expression.call();
        var arguments = ImmutableList.<CelExpr>builder();
        call.target().ifPresent(arguments::add);
        List<CelExpr> all = arguments.addAll(call.args()).build();
        switch (call.function()) {
            case CONDITION -> {
                visit(all.getFirst(), false);
                visit(all.get(1), true);
                visit(all.get(2), true);
            }
            case "_[_]", "_[?_]", "_?._" -> {
                step.cost = 1;
                step.onlyIfThere = !call.function().equals("_[_]");
                within(step, all.getFirst(), bare);
                visit(all.get(1), true);
                at(all.get(1)).leadsTo(step, Optional.empty());
            }
            default -> {
                all.forEach(argument -> visit(argument, false));
                if (!isFree(call, all)) {
                    charge(step, expression, all);
                }
            }
        }
    }

    /** Evaluates only what it needs, or was worked out when the expression was compiled. */
    private static boolean isFree(CelExpr.CelCall call, List<CelExpr> arguments) {
        return switch (call.function()) {
            case "_&&_", "_||_", "or", "orValue" -> true;
            case "@in" -> arguments.get(1).getKind() == Kind.LIST && isConstant(arguments.get(1));
            default -> false;
        };
    }

    private void charge(Step step, CelExpr expression, List<CelExpr> arguments) {
        var overloads =
                tree.getReference(expression.id()).map(it -> it.overloadIds()).orElse(ImmutableList.of());
        List<Integer> slots = new ArrayList<>();
        arguments.forEach(argument -> slots.add(at(argument).slot));
        var call = new Call(
                expression.call().function(),
                overloads.size() == 1 ? overloads.getFirst() : "",
                !arguments.isEmpty() && isAccumulator(arguments.getFirst()),
                List.copyOf(slots));
        if (arguments.isEmpty()) {
            step.itself = Optional.of(call);
        } else {
            at(arguments.getLast()).leadsTo(step, Optional.of(call));
        }
    }

    /** What a loop collects is added to in place. */
    private boolean isAccumulator(CelExpr expression) {
        return expression.getKind() == Kind.IDENT && expression.ident().name().equals(accumulator);
    }

    private static boolean isLookup(CelExpr expression) {
        return switch (expression.getKind()) {
            case IDENT, SELECT -> true;
            case CALL ->
                INDEXES.contains(expression.call().function())
                        || expression.call().function().equals(CONDITION);
            case CONSTANT, LIST, MAP, STRUCT, COMPREHENSION, NOT_SET -> false;
        };
    }

    private boolean isType(CelExpr variable) {
        return tree.getType(variable.id())
                .map(type -> type.kind() == CelKind.TYPE)
                .orElse(false);
    }

    /** What cel-go works out when it compiles. */
    private static boolean isConstant(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> true;
            case LIST ->
                expression.list().optionalIndices().isEmpty()
                        && expression.list().elements().stream().allMatch(CostPlan::isConstant);
            case MAP ->
                expression.map().entries().stream()
                        .allMatch(entry ->
                                !entry.optionalEntry() && isConstant(entry.key()) && isConstant(entry.value()));
            case CALL ->
                CONVERSIONS.contains(expression.call().function())
                        && expression.call().target().isEmpty()
                        && expression.call().args().size() == 1
                        && isConstant(expression.call().args().getFirst());
            case IDENT, SELECT, STRUCT, COMPREHENSION, NOT_SET -> false;
        };
    }
}
