package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The match conditions of one webhook, compiled. All must hold for the webhook to be called. */
final class MatchConditions {
    private static final Pattern NO_SUCH_KEY = Pattern.compile("key '(.*?)' is not present in map\\.?");
    private static final int MOST = 64;

    private record Condition(String expression, Program program) {}

    sealed interface Outcome {}

    record Holds() implements Outcome {}

    record DoesNotHold() implements Outcome {}

    /** None said no, and at least one could not be evaluated. */
    record Failed(String why) implements Outcome {}

    private final List<Condition> conditions;

    private MatchConditions(List<Condition> conditions) {
        this.conditions = conditions;
    }

    /** @param list that {@link #check} found nothing wrong with; what does not compile all the same never holds */
    static MatchConditions of(JsonNode list) {
        List<Condition> conditions = new ArrayList<>();
        for (JsonNode each : list) {
            String expression = each.path("expression").asText();
            Program program;
            try {
                CelAbstractSyntaxTree tree =
                        ConditionLanguage.COMPILER.compile(expression).getAst();
                program = ConditionLanguage.RUNTIME.createProgram(tree);
            } catch (CelValidationException | CelEvaluationException broken) {
                throw new IllegalStateException("stored match condition does not compile: " + expression, broken);
            }
            conditions.add(new Condition(expression, program));
        }
        return new MatchConditions(List.copyOf(conditions));
    }

    boolean isEmpty() {
        return conditions.isEmpty();
    }

    Outcome evaluate(Invocation invocation, @Nullable ObjectNode object) {
        ObjectNode request = invocation.request(object);
        request.put("dryRun", invocation.attributes().dryRun());
        request.set("options", invocation.attributes().options());
        Map<String, Object> variables = Map.of(
                "object", ConditionLanguage.value(invocation.shown(object)),
                "oldObject",
                        ConditionLanguage.value(
                                invocation.shown(invocation.attributes().old())),
                "request", ConditionLanguage.value(request));
        List<String> errors = new ArrayList<>();
        for (Condition condition : conditions) {
            try {
                if (Boolean.FALSE.equals(condition.program().eval(variables))) return new DoesNotHold();
            } catch (CelEvaluationException failed) {
                errors.add("expression '%s' resulted in error: %s".formatted(condition.expression(), reason(failed)));
            }
        }
        if (errors.isEmpty()) return new Holds();
        return new Failed(errors.size() == 1 ? errors.getFirst() : "[" + String.join(", ", errors) + "]");
    }

    private static String reason(CelEvaluationException failed) {
        String message = String.valueOf(failed.getMessage());
        var matcher = NO_SUCH_KEY.matcher(message);
        return matcher.find() ? "no such key: " + matcher.group(1) : message;
    }

    /** What is wrong with the conditions of a webhook, before it is stored. */
    static List<FieldError> check(JsonNode list, String path) {
        List<FieldError> errors = new ArrayList<>();
        if (list.size() > MOST) {
            errors.add(new FieldError(
                    "FieldValueTooMany",
                    path,
                    "Too many: %d: must have at most %d items".formatted(list.size(), MOST)));
        }
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode each : list) {
            String at = path + "[" + index++ + "]";
            String expression = each.path("expression").asText().strip();
            if (expression.isEmpty()) errors.add(FieldError.required(at + ".expression", ""));
            else errors.addAll(compileErrors(expression, at + ".expression"));
            String name = each.path("name").asText();
            if (name.isEmpty()) errors.add(FieldError.required(at + ".name", ""));
            else if (!names.add(name)) errors.add(FieldError.duplicate(at + ".name", quoted(name)));
        }
        return errors;
    }

    private static List<FieldError> compileErrors(String expression, String path) {
        try {
            CelAbstractSyntaxTree tree =
                    ConditionLanguage.COMPILER.compile(expression).getAst();
            if (tree.getResultType().equals(SimpleType.BOOL)) return List.of();
            String why = "must evaluate to bool but got " + tree.getResultType().name();
            return List.of(FieldError.invalid(path, quoted(expression), why));
        } catch (CelValidationException broken) {
            return List.of(FieldError.invalid(path, quoted(expression), "compilation failed: " + broken.getMessage()));
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
