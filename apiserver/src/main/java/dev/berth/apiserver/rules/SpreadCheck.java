package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** Finds what is wrong in topology spread constraints. */
final class SpreadCheck {
    private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
    private static final List<String> INCLUSIONS = List.of("Honor", "Ignore");

    private SpreadCheck() {}

    static void run(ArrayNode constraints, String path, Errors errors) {
        for (int i = 0; i < constraints.size(); i++) {
            JsonNode constraint = constraints.get(i);
            String at = path + "[" + i + "]";
            if (number(constraint, "maxSkew") <= 0)
                errors.invalid(at + ".maxSkew", number(constraint, "maxSkew"), "must be greater than zero");
            if (text(constraint, "topologyKey").isEmpty()) errors.required(at + ".topologyKey", "can not be empty");
            String action = text(constraint, "whenUnsatisfiable");
            if (!ACTIONS.contains(action)) errors.notSupported(at + ".whenUnsatisfiable", action, ACTIONS);
            for (int j = i + 1; j < constraints.size(); j++)
                if (text(constraints.get(j), "topologyKey").equals(text(constraint, "topologyKey"))
                        && text(constraints.get(j), "whenUnsatisfiable").equals(action))
                    errors.duplicate(
                            at + ".{topologyKey, whenUnsatisfiable}",
                            "{" + text(constraint, "topologyKey") + ", " + action + "}");
            minimum(constraint, action, at, errors);
            for (String field : List.of("nodeAffinityPolicy", "nodeTaintsPolicy"))
                if (has(constraint, field) && !INCLUSIONS.contains(text(constraint, field)))
                    errors.notSupported(at + "." + field, text(constraint, field), INCLUSIONS);
            AffinityCheck.labelSelector(at(constraint, "labelSelector"), at + ".labelSelector", errors);
        }
    }

    private static void minimum(JsonNode constraint, String action, String at, Errors errors) {
        if (!has(constraint, "minDomains")) return;
        long minimum = number(constraint, "minDomains");
        if (minimum <= 0) errors.invalid(at + ".minDomains", minimum, "must be greater than zero");
        if (!action.equals("DoNotSchedule"))
            errors.invalid(
                    at + ".minDomains",
                    minimum,
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
    }
}
