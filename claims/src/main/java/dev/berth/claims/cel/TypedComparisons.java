package dev.berth.claims.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Rewrites every comparison in which an attribute takes part into one that knows the attribute's type, and notes which
 * attributes are read.
 *
 * <p>CEL's own operators see texts and numbers only: 10Gi would not be more than 8Gi, nor 1.10.0 later than 1.8.0.
 */
final class TypedComparisons {
    private final Set<String> read = new TreeSet<>();
    private boolean readsAll;
    private boolean hidden;

    /** The attributes that were seen; nothing where the expression may look at any of them. */
    Optional<Set<String>> reads() {
        return readsAll ? Optional.empty() : Optional.of(Set.copyOf(read));
    }

    CelExpr rewrite(CelExpr expression) {
        return switch (expression.getKind()) {
            case SELECT -> select(expression);
            case CALL -> call(expression);
            case LIST ->
                CelExpr.ofList(
                        expression.id(),
                        all(expression.list().elements()),
                        expression.list().optionalIndices());
            case MAP ->
                CelExpr.ofMap(
                        expression.id(),
                        expression.map().entries().stream()
                                .map(entry -> CelExpr.ofMapEntry(
                                        entry.id(),
                                        rewrite(entry.key()),
                                        rewrite(entry.value()),
                                        entry.optionalEntry()))
                                .collect(ImmutableList.toImmutableList()));
            case COMPREHENSION -> comprehension(expression);
            case IDENT -> {
                if (isDevice(expression)) {
                    readsAll = true;
                }
                yield expression;
            }
            case CONSTANT, STRUCT, NOT_SET -> expression;
        };
    }

    private ImmutableList<CelExpr> all(List<CelExpr> expressions) {
        return expressions.stream().map(this::rewrite).collect(ImmutableList.toImmutableList());
    }

    private CelExpr select(CelExpr expression) {
        var select = expression.select();
        if (isDevice(select.operand())) {
            read.add(select.field());
            return expression;
        }
        return CelExpr.ofSelect(expression.id(), rewrite(select.operand()), select.field(), select.testOnly());
    }

    private CelExpr call(CelExpr expression) {
        var call = expression.call();
        if (call.function().equals("@in")
                && isDevice(call.args().get(1))
                && text(call.args().getFirst()).isPresent()) {
            read.add(text(call.args().getFirst()).get());
            return expression;
        }
        Optional<CelExpr> indexed = indexed(expression, Language.DEVICE);
        if (indexed.isPresent()) {
            return indexed.get();
        }
        String typed = Language.TYPED_COMPARISONS.get(call.function());
        if (typed == null || call.args().stream().noneMatch(this::isAttribute)) {
            var target = call.target().map(this::rewrite);
            return CelExpr.ofCall(expression.id(), target, call.function(), all(call.args()));
        }
        return CelExpr.ofCall(
                expression.id(),
                Optional.empty(),
                typed,
                call.args().stream().map(this::typed).collect(ImmutableList.toImmutableList()));
    }

    private CelExpr comprehension(CelExpr expression) {
        var loop = expression.comprehension();
        CelExpr range = rewrite(loop.iterRange());
        boolean before = hidden;
        hidden |= loop.iterVar().equals(Language.DEVICE) || loop.iterVar2().equals(Language.DEVICE);
        CelExpr rewritten = CelExpr.ofComprehension(
                expression.id(),
                loop.iterVar(),
                loop.iterVar2(),
                range,
                loop.accuVar(),
                rewrite(loop.accuInit()),
                rewrite(loop.loopCondition()),
                rewrite(loop.loopStep()),
                rewrite(loop.result()));
        hidden = before;
        return rewritten;
    }

    /** The operand of a comparison: an attribute with its type, anything else as it is. */
    private CelExpr typed(CelExpr operand) {
        if (!isAttribute(operand)) {
            return rewrite(operand);
        }
        if (operand.getKind() == CelExpr.ExprKind.Kind.SELECT) {
            read.add(operand.select().field());
            CelExpr map = CelExpr.ofIdent(operand.select().operand().id(), Language.TYPED);
            return CelExpr.ofSelect(operand.id(), map, operand.select().field(), false);
        }
        return indexed(operand, Language.TYPED).orElseThrow();
    }

    /** {@code device['x']}, taken from this variable. */
    private Optional<CelExpr> indexed(CelExpr expression, String variable) {
        if (!isIndexed(expression)) {
            return Optional.empty();
        }
        var arguments = expression.call().args();
        Optional<String> name = text(arguments.get(1));
        name.ifPresent(read::add);
        readsAll |= name.isEmpty();
        CelExpr map = CelExpr.ofIdent(arguments.getFirst().id(), variable);
        return Optional.of(CelExpr.ofCall(
                expression.id(),
                Optional.empty(),
                expression.call().function(),
                ImmutableList.of(map, rewrite(arguments.get(1)))));
    }

    private boolean isAttribute(CelExpr expression) {
        return isIndexed(expression)
                || (expression.getKind() == CelExpr.ExprKind.Kind.SELECT
                        && !expression.select().testOnly()
                        && isDevice(expression.select().operand()));
    }

    private boolean isIndexed(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.CALL
                && expression.call().function().equals("_[_]")
                && isDevice(expression.call().args().getFirst());
    }

    private boolean isDevice(CelExpr expression) {
        return !hidden
                && expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                && expression.ident().name().equals(Language.DEVICE);
    }

    private static Optional<String> text(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                        && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expression.constant().stringValue())
                : Optional.empty();
    }
}
