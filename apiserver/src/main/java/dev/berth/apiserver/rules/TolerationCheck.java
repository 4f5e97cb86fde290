package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** Finds what is wrong in tolerations, and in how an update changes them. */
final class TolerationCheck {
    static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private TolerationCheck() {}

    static void run(ArrayNode tolerations, String path, Errors errors) {
        for (int i = 0; i < tolerations.size(); i++) one(tolerations.get(i), path + "[" + i + "]", errors);
    }

    private static void one(JsonNode toleration, String at, Errors errors) {
        String key = text(toleration, "key");
        String operator = text(toleration, "operator");
        String value = text(toleration, "value");
        String effect = text(toleration, "effect");
        if (!key.isEmpty()) errors.invalid(at + ".key", key, Names.qualified(key));
        else if (!operator.equals("Exists"))
            errors.invalid(
                    at + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        if (has(toleration, "tolerationSeconds") && !effect.equals("NoExecute"))
            errors.invalid(at + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        switch (operator) {
            case "", "Equal" -> {
                var wrong = Names.labelValue(value);
                if (!wrong.isEmpty()) errors.invalid(at + ".operator", value, String.join(";", wrong));
            }
            case "Exists" -> {
                if (!value.isEmpty())
                    errors.invalid(at + ".operator", value, "value must be empty when `operator` is 'Exists'");
            }
            case "Lt", "Gt" -> errors.notSupported(at + ".operator", operator, List.of("Equal", "Exists", "Lt", "Gt"));
            default -> errors.notSupported(at + ".operator", operator, List.of("Equal", "Exists"));
        }
        if (!effect.isEmpty() && !EFFECTS.contains(effect)) errors.notSupported(at + ".effect", effect, EFFECTS);
    }

    /** An update may add tolerations and change how long one lasts. */
    static void onlyAdded(ArrayNode next, ArrayNode old, String path, Errors errors) {
        for (JsonNode each : old) {
            boolean found = false;
            for (JsonNode candidate : next) found |= sameButSeconds(each, candidate);
            if (found) continue;
            errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
            return;
        }
        run(next, path, errors);
    }

    private static boolean sameButSeconds(JsonNode a, JsonNode b) {
        for (String field : List.of("key", "operator", "value", "effect"))
            if (!text(a, field).equals(text(b, field))) return false;
        return true;
    }
}
