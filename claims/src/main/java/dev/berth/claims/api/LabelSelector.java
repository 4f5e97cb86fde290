package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which labels an object must have, as Kubernetes says it; an empty selector takes everything. */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
    /** One expression on one label. */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
            };
        }
    }

    /** The operators, with the names that Kubernetes has for them. */
    public enum Operator {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist");

        private final String label;

        Operator(String label) {
            this.label = label;
        }

        private static Operator read(Field field) {
            for (var operator : values()) {
                if (operator.label.equals(field.text())) {
                    return operator;
                }
            }
            throw field.problem("must be In, NotIn, Exists or DoesNotExist, not '" + field.text() + "'");
        }
    }

    public LabelSelector {
        matchLabels = Map.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }

    static LabelSelector read(Field field) {
        var fields = field.fields();
        var labels = Metadata.texts(fields, "matchLabels");
        var expressions = fields.items("matchExpressions").stream()
                .map(LabelSelector::requirement)
                .toList();
        fields.done();
        return new LabelSelector(labels, expressions);
    }

    private static Requirement requirement(Field field) {
        var fields = field.fields();
        var requirement = new Requirement(
                fields.require("key").text(), Operator.read(fields.require("operator")), fields.texts("values"));
        fields.done();
        boolean needsValues = requirement.operator() == Operator.IN || requirement.operator() == Operator.NOT_IN;
        if (needsValues == requirement.values().isEmpty()) {
            throw field.problem(needsValues ? "needs values" : "takes no values");
        }
        return requirement;
    }

    public boolean matches(Map<String, String> labels) {
        return matchLabels.entrySet().stream()
                        .allMatch(label -> label.getValue().equals(labels.get(label.getKey())))
                && matchExpressions.stream().allMatch(requirement -> requirement.matches(labels));
    }

    ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        if (!matchLabels.isEmpty()) {
            var labels = json.putObject("matchLabels");
            new TreeMap<>(matchLabels).forEach(labels::put);
        }
        if (!matchExpressions.isEmpty()) {
            var expressions = json.putArray("matchExpressions");
            for (var requirement : matchExpressions) {
                var expression = expressions.addObject();
                expression.put("key", requirement.key()).put("operator", requirement.operator().label);
                requirement.values().forEach(expression.withArrayProperty("values")::add);
            }
        }
        return json;
    }
}
