package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A label selector: nothing where there is none, everything where it is empty, else what all its rules match. */
public record PodSelection(boolean absent, List<LabelRule> rules) {
    public PodSelection {
        rules = List.copyOf(rules);
    }

    public static PodSelection of(@Nullable LabelSelector selector) {
        if (selector == null) {
            return new PodSelection(true, List.of());
        }
        var rules = new ArrayList<LabelRule>();
        Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
                .forEach((key, value) -> rules.add(new LabelRule(key, LabelRule.Operator.IN, Set.of(value))));
        for (var rule :
                Objects.requireNonNullElse(selector.getMatchExpressions(), List.<LabelSelectorRequirement>of())) {
            rules.add(LabelRule.of(rule.getKey(), rule.getOperator(), rule.getValues()));
        }
        return new PodSelection(false, rules);
    }

    /** The selector with the pod's own value of each of these labels (or, negated, any other) added. */
    PodSelection and(@Nullable List<String> keys, LabelRule.Operator operator, Map<String, String> ownLabels) {
        if (absent || keys == null || keys.isEmpty()) {
            return this;
        }
        var more = new ArrayList<>(rules);
        for (var key : keys) {
            var value = ownLabels.get(key);
            if (value != null) {
                more.add(new LabelRule(key, operator, Set.of(value)));
            }
        }
        return new PodSelection(false, more);
    }

    public boolean matches(Map<String, String> labels) {
        return !absent && rules.stream().allMatch(rule -> rule.matches(labels));
    }

    boolean everything() {
        return !absent && rules.isEmpty();
    }
}
