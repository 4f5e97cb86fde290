package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.status.FieldError;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The rules of {@code x-kubernetes-validations}, asked of every value that has some. */
final class CelRules {
    private static final int REMEMBERED = 2_000;

    /** Bounds stand in for the cost limit of Kubernetes. */
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(100_000)
            .maxRegexProgramSize(2_000)
            .build();

    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                    CelExtensions.optional(),
                    CelExtensions.strings(),
                    CelExtensions.math(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.bindings())
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    CelExtensions.optional(),
                    CelExtensions.strings(),
                    CelExtensions.math(),
                    CelExtensions.sets(OPTIONS))
            .build();
    private static final Map<String, Compiled> PROGRAMS = new ConcurrentHashMap<>();

    /** A program, or why there is none. */
    private record Compiled(Optional<CelRuntime.Program> program, String error) {}

    private CelRules() {}

    static void check(JsonNode schema, JsonNode value, @Nullable JsonNode old, String path, List<FieldError> errors) {
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            boolean transition = rule.path("rule").asText().contains("oldSelf");
            if (!transition || old != null) check(rule, schema, value, old, path, errors);
        }
        if (value.isArray()) {
            items(schema, value, old, path, errors);
        } else if (value.isObject()) {
            JsonNode properties = schema.path("properties");
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                String name = field.getKey();
                @Nullable JsonNode before = old == null || !old.isObject() ? null : old.get(name);
                if (properties.path(name).isObject()) {
                    check(properties.path(name), field.getValue(), before, SchemaWalk.join(path, name), errors);
                } else if (schema.path("additionalProperties").isObject()) {
                    check(
                            schema.path("additionalProperties"),
                            field.getValue(),
                            before,
                            path + "[" + name + "]",
                            errors);
                }
            }
        }
    }

    /** Items of a list have a past only where keys tell which was which. */
    private static void items(
            JsonNode schema, JsonNode array, @Nullable JsonNode old, String path, List<FieldError> errors) {
        JsonNode items = schema.path("items");
        if (!items.isObject()) return;
        Map<JsonNode, JsonNode> before = new HashMap<>();
        if (old != null && schema.path("x-kubernetes-list-type").asText().equals("map")) {
            old.forEach(item -> before.put(ListKeys.key(schema, item), item));
        }
        for (int i = 0; i < array.size(); i++) {
            @Nullable JsonNode earlier = before.isEmpty() ? null : before.get(ListKeys.key(schema, array.get(i)));
            check(items, array.get(i), earlier, path + "[" + i + "]", errors);
        }
    }

    private static void check(
            JsonNode rule,
            JsonNode schema,
            JsonNode value,
            @Nullable JsonNode old,
            String path,
            List<FieldError> errors) {
        String expression = rule.path("rule").asText();
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", CelValues.of(schema, value));
        if (old != null) variables.put("oldSelf", CelValues.of(schema, old));
        String at = path + rule.path("fieldPath").asText();
        if (path.isEmpty() && at.startsWith(".")) at = at.substring(1);
        Compiled compiled = compile(expression);
        if (compiled.program().isEmpty()) {
            errors.add(new FieldError(
                    "FieldValueInvalid",
                    at,
                    "Invalid value: \"%s\": rule compile error: %s".formatted(typeOf(value), compiled.error())));
            return;
        }
        try {
            if (Boolean.TRUE.equals(compiled.program().get().eval(variables))) return;
            errors.add(refusal(rule, value, at, message(rule, expression, variables)));
        } catch (CelEvaluationException e) {
            errors.add(new FieldError(
                    "FieldValueInvalid",
                    at,
                    "Invalid value: \"%s\": %s evaluating rule: %s".formatted(typeOf(value), reason(e), expression)));
        }
    }

    private static String reason(CelEvaluationException e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        return message.replaceFirst("^evaluation error[^:]*: ", "");
    }

    private static String message(JsonNode rule, String expression, Map<String, Object> variables) {
        String written = rule.path("message").asText();
        String computed = rule.path("messageExpression").asText();
        if (!computed.isEmpty()) {
            try {
                var program = compile(computed).program();
                if (program.isPresent() && program.get().eval(variables) instanceof String text && !text.isBlank())
                    return text;
            } catch (CelEvaluationException _) {
                // A message that cannot be made falls back to the written one, as in Kubernetes.
            }
        }
        return written.isEmpty() ? "failed rule: " + expression.strip() : written.strip();
    }

    private static FieldError refusal(JsonNode rule, JsonNode value, String at, String message) {
        return switch (rule.path("reason").asText()) {
            case "FieldValueForbidden" -> FieldError.forbidden(at, message);
            case "FieldValueRequired" -> FieldError.required(at, message);
            case "FieldValueDuplicate" -> new FieldError("FieldValueDuplicate", at, "Duplicate value: " + shown(value));
            default ->
                value.isContainerNode()
                        ? new FieldError("FieldValueInvalid", at, "Invalid value: " + message)
                        : FieldError.invalid(at, shown(value), message);
        };
    }

    private static String shown(JsonNode value) {
        return value.isTextual() ? TextNode.valueOf(value.textValue()).toString() : value.toString();
    }

    private static String typeOf(JsonNode value) {
        if (value.isObject()) return "object";
        if (value.isArray()) return "array";
        if (value.isTextual()) return "string";
        return value.isBoolean() ? "boolean" : value.isIntegralNumber() ? "integer" : "number";
    }

    private static Compiled compile(String expression) {
        if (PROGRAMS.size() > REMEMBERED) PROGRAMS.clear();
        return PROGRAMS.computeIfAbsent(expression, text -> {
            try {
                return new Compiled(
                        Optional.of(RUNTIME.createProgram(COMPILER.compile(text).getAst())), "");
            } catch (CelValidationException | CelEvaluationException e) {
                return new Compiled(Optional.empty(), String.valueOf(e.getMessage()));
            }
        });
    }
}
