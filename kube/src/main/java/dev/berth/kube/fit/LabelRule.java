package dev.berth.kube.fit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One condition on labels: what nodes and pods are selected by. */
public record LabelRule(String key, Operator operator, Set<String> values) {
    public LabelRule {
        values = Set.copyOf(values);
    }

    /** How the label is compared. */
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT;

        static Operator of(String name) {
            return switch (name) {
                case "In" -> IN;
                case "NotIn" -> NOT_IN;
                case "Exists" -> EXISTS;
                case "DoesNotExist" -> DOES_NOT_EXIST;
                case "Gt" -> GT;
                case "Lt" -> LT;
                default -> throw new IllegalArgumentException("a selector has the unknown operator '" + name + "'");
            };
        }
    }

    static LabelRule of(String key, @Nullable String operator, @Nullable List<String> values) {
        return new LabelRule(
                key,
                Operator.of(Objects.requireNonNullElse(operator, "")),
                Set.copyOf(Objects.requireNonNullElse(values, List.of())));
    }

    boolean matches(Map<String, String> labels) {
        var found = labels.get(key);
        return switch (operator) {
            case IN -> found != null && values.contains(found);
            case NOT_IN -> found == null || !values.contains(found);
            case EXISTS -> found != null;
            case DOES_NOT_EXIST -> found == null;
            case GT -> compared(found) > 0;
            case LT -> compared(found) < 0;
        };
    }

    /** The label's number against the rule's; 0, which neither operator takes, where one of them is no number. */
    private int compared(@Nullable String found) {
        if (found == null || values.size() != 1) {
            return 0;
        }
        try {
            return Long.compare(
                    Long.parseLong(found), Long.parseLong(values.iterator().next()));
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    String words() {
        return switch (operator) {
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "no " + key;
            case IN, NOT_IN, GT, LT ->
                "%s %s %s"
                        .formatted(
                                key,
                                operator.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                                String.join(", ", values.stream().sorted().toList()));
        };
    }
}
