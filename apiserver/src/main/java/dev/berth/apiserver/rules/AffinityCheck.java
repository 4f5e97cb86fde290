package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Finds what is wrong in affinities and in the selectors that they are made of. */
final class AffinityCheck {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final String VALUES_NEEDED = "must be specified when `operator` is 'In' or 'NotIn'";
    private static final String NO_VALUES = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    private static final String NO_OPERATOR = "not a valid selector operator";
    private static final String WEIGHT = "must be in the range 1-100";

    private AffinityCheck() {}

    static void run(JsonNode affinity, String path, Errors errors) {
        if (affinity.isEmpty()) return;
        nodeAffinity(at(affinity, "nodeAffinity"), path + ".nodeAffinity", errors);
        for (String kind : List.of("podAffinity", "podAntiAffinity"))
            podAffinity(at(affinity, kind), path + "." + kind, errors);
    }

    private static void nodeAffinity(JsonNode affinity, String path, Errors errors) {
        if (has(affinity, REQUIRED)) nodeSelector(at(affinity, REQUIRED), path + "." + REQUIRED, errors);
        var preferred = items(affinity, PREFERRED);
        for (int i = 0; i < preferred.size(); i++) {
            String at = path + "." + PREFERRED + "[" + i + "]";
            weight(preferred.get(i), at, errors);
            nodeTerm(at(preferred.get(i), "preference"), at + ".preference", errors);
        }
    }

    private static void weight(JsonNode term, String at, Errors errors) {
        long weight = number(term, "weight");
        if (weight < 1 || weight > 100) errors.invalid(at + ".weight", weight, WEIGHT);
    }

    static void nodeSelector(JsonNode selector, String path, Errors errors) {
        var terms = items(selector, "nodeSelectorTerms");
        if (terms.isEmpty()) errors.required(path + ".nodeSelectorTerms", "must have at least one node selector term");
        for (int i = 0; i < terms.size(); i++) nodeTerm(terms.get(i), path + ".nodeSelectorTerms[" + i + "]", errors);
    }

    private static void nodeTerm(JsonNode term, String path, Errors errors) {
        var expressions = items(term, "matchExpressions");
        for (int i = 0; i < expressions.size(); i++)
            nodeRequirement(expressions.get(i), path + ".matchExpressions[" + i + "]", errors);
        var fields = items(term, "matchFields");
        for (int i = 0; i < fields.size(); i++)
            fieldRequirement(fields.get(i), path + ".matchFields[" + i + "]", errors);
    }

    private static void nodeRequirement(JsonNode requirement, String at, Errors errors) {
        int values = items(requirement, "values").size();
        String operator = text(requirement, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values == 0) errors.required(at + ".values", VALUES_NEEDED);
            }
            case "Exists", "DoesNotExist" -> {
                if (values > 0) errors.forbidden(at + ".values", NO_VALUES);
            }
            case "Gt", "Lt" -> {
                if (values != 1)
                    errors.required(at + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
            default -> errors.invalid(at + ".operator", operator, NO_OPERATOR);
        }
        keyAndValues(requirement, at, errors);
    }

    private static void keyAndValues(JsonNode requirement, String at, Errors errors) {
        String key = text(requirement, "key");
        errors.invalid(at + ".key", key, Names.qualified(key));
        var values = items(requirement, "values");
        for (int i = 0; i < values.size(); i++)
            errors.invalid(
                    at + ".values[" + i + "]",
                    values.get(i).asText(),
                    Names.labelValue(values.get(i).asText()));
    }

    private static void fieldRequirement(JsonNode requirement, String at, Errors errors) {
        String operator = text(requirement, "operator");
        var values = items(requirement, "values");
        if (!operator.equals("In") && !operator.equals("NotIn"))
            errors.invalid(at + ".operator", operator, NO_OPERATOR);
        else if (values.size() != 1)
            errors.required(
                    at + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        if (!text(requirement, "key").equals("metadata.name"))
            errors.invalid(at + ".key", text(requirement, "key"), "not a valid field selector key");
    }

    private static void podAffinity(JsonNode affinity, String path, Errors errors) {
        var required = items(affinity, REQUIRED);
        for (int i = 0; i < required.size(); i++)
            podTerm(required.get(i), path + "." + REQUIRED + "[" + i + "]", errors);
        var preferred = items(affinity, PREFERRED);
        for (int i = 0; i < preferred.size(); i++) {
            String at = path + "." + PREFERRED + "[" + i + "]";
            weight(preferred.get(i), at, errors);
            podTerm(at(preferred.get(i), "podAffinityTerm"), at + ".podAffinityTerm", errors);
        }
    }

    private static void podTerm(JsonNode term, String path, Errors errors) {
        labelSelector(at(term, "labelSelector"), path + ".labelSelector", errors);
        labelSelector(at(term, "namespaceSelector"), path + ".namespaceSelector", errors);
        for (JsonNode namespace : items(term, "namespaces"))
            errors.invalid(path + ".namespace", namespace.asText(), Names.label(namespace.asText()));
        String key = text(term, "topologyKey");
        if (key.isEmpty()) errors.required(path + ".topologyKey", "can not be empty");
        errors.invalid(path + ".topologyKey", key, Names.qualified(key));
    }

    static void labelSelector(JsonNode selector, String path, Errors errors) {
        if (selector.isEmpty()) return;
        Metadata.labels(at(selector, "matchLabels"), path + ".matchLabels", errors);
        var expressions = items(selector, "matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            JsonNode requirement = expressions.get(i);
            String at = path + ".matchExpressions[" + i + "]";
            boolean values = !items(requirement, "values").isEmpty();
            switch (text(requirement, "operator")) {
                case "In", "NotIn" -> {
                    if (!values) errors.required(at + ".values", VALUES_NEEDED);
                }
                case "Exists", "DoesNotExist" -> {
                    if (values) errors.forbidden(at + ".values", NO_VALUES);
                }
                default -> errors.invalid(at + ".operator", text(requirement, "operator"), NO_OPERATOR);
            }
            keyAndValues(requirement, at, errors);
        }
    }
}
