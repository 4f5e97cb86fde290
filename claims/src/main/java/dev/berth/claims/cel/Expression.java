package dev.berth.claims.cel;

import dev.berth.claims.api.Quantities;
import dev.berth.core.Attribute;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelValidationException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A constraint on a device, compiled. Two with the same text are equal. */
public final class Expression {
    private static final Pattern MISSING_KEY = Pattern.compile("key '(.*?)' is not present in map");
    private static final Remembered<Expression> COMPILED = new Remembered<>(Expression::compile);

    private final String text;
    private final CelRuntime.Program program;
    private final Optional<Set<String>> reads;

    private Expression(String text, CelRuntime.Program program, Optional<Set<String>> reads) {
        this.text = text;
        this.program = program;
        this.reads = reads;
    }

    /**
     * The expression, compiled now or before.
     *
     * @throws InvalidExpressionException for text that is not CEL, or does not say yes or no
     */
    public static Expression of(String text) {
        return COMPILED.of(text);
    }

    private static Expression compile(String text) {
        try {
            // As written first: what is wrong is told in the words that the author used.
            var written = Language.COMPILER.compile(text).getAst();
            Language.VALIDATOR.validate(written).getAst();
            CelAbstractSyntaxTree parsed = Language.COMPILER.parse(text).getAst();
            var comparisons = new TypedComparisons();
            var rewritten = comparisons.rewrite(parsed.getExpr());
            var checked = Language.COMPILER
                    .check(CelAbstractSyntaxTree.newParsedAst(rewritten, parsed.getSource()))
                    .getAst();
            return new Expression(text, Language.RUNTIME.createProgram(checked), comparisons.reads());
        } catch (CelValidationException | CelEvaluationException wrong) {
            throw new InvalidExpressionException(text, CompilerWords.of(wrong), wrong);
        }
    }

    /** The attributes that the answer depends on; nothing where it may depend on any of them. */
    public Optional<Set<String>> reads() {
        return reads;
    }

    /** Why a device with these attributes does not match: nothing when it does. */
    public Optional<String> refuses(Map<String, Attribute> attributes) {
        Map<String, Object> plain = new HashMap<>();
        Map<String, Object> typed = new HashMap<>();
        attributes.forEach((name, attribute) -> {
            plain.put(name, plain(attribute));
            typed.put(name, typed(attribute));
        });
        try {
            Object answer = program.eval(Map.of(Language.DEVICE, plain, Language.TYPED, typed));
            if (answer instanceof Boolean matches) {
                return matches ? Optional.empty() : Optional.of("does not meet " + text);
            }
            return Optional.of("%s says neither yes nor no".formatted(text));
        } catch (CelEvaluationException failed) {
            return Optional.of(reason(failed));
        }
    }

    private String reason(CelEvaluationException failed) {
        String message = String.valueOf(failed.getMessage()).replaceFirst("^evaluation error at \\S*: ", "");
        var missing = MISSING_KEY.matcher(message);
        if (failed.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND) {
            // device.x tells it in a sentence, device['x'] by the bare name
            return "has no attribute %s, which %s needs".formatted(missing.find() ? missing.group(1) : message, text);
        }
        if (failed.getErrorCode() == CelErrorCode.ITERATION_BUDGET_EXCEEDED) {
            return "%s takes too long".formatted(text);
        }
        Throwable cause = failed.getCause();
        String what =
                cause instanceof IllegalArgumentException && cause.getMessage() != null ? cause.getMessage() : message;
        return "does not meet %s: %s".formatted(text, what);
    }

    private static Object plain(Attribute attribute) {
        return switch (attribute) {
            case Attribute.Text(var text) -> text;
            case Attribute.Whole(var number) -> number;
            case Attribute.Flag(var flag) -> flag;
            case Attribute.Version(var version) -> version;
            case Attribute.Amount(var quantity) -> Quantities.text(quantity);
            case Attribute.Many(var values) ->
                values.stream().map(Expression::plain).toList();
        };
    }

    private static Object typed(Attribute attribute) {
        return switch (attribute) {
            case Attribute.Version _, Attribute.Amount _ -> attribute;
            case Attribute.Text _, Attribute.Whole _, Attribute.Flag _ -> plain(attribute);
            case Attribute.Many(var values) ->
                values.stream().map(Expression::typed).toList();
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Expression expression && text.equals(expression.text);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
