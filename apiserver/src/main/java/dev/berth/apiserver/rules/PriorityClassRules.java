package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;
import java.util.Map;

/** What Kubernetes knows of a PriorityClass. */
final class PriorityClassRules implements KindRules {
    static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");
    private static final Map<String, Long> SYSTEM =
            Map.of("system-node-critical", 2_000_001_000L, "system-cluster-critical", 2_000_000_000L);
    private static final long HIGHEST = 1_000_000_000;

    @Override
    public void applyDefaults(ObjectNode priority) {
        absentText(priority, "preemptionPolicy", "PreemptLowerPriority");
    }

    @Override
    public List<FieldError> validate(ObjectNode priority) {
        var errors = new Errors();
        String name = text(at(priority, "metadata"), "name");
        long value = number(priority, "value");
        if (name.startsWith("system-")) system(name, value, errors);
        else if (value > HIGHEST)
            errors.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
        String policy = text(priority, "preemptionPolicy");
        if (!PREEMPTION_POLICIES.contains(policy)) errors.notSupported("preemptionPolicy", policy, PREEMPTION_POLICIES);
        return errors.list();
    }

    private static void system(String name, long value, Errors errors) {
        Long known = SYSTEM.get(name);
        if (known != null && known == value) return;
        String why = known == null
                ? name + " is not a known system priority class"
                : "value of %s PriorityClass must be %d".formatted(name, known);
        errors.forbidden(
                "metadata.name",
                "priority class names with 'system-' prefix are reserved for system use only. error: " + why);
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        if (number(next, "value") != number(old, "value"))
            errors.forbidden("value", "may not be changed in an update.");
        String policy = text(next, "preemptionPolicy");
        if (!policy.equals(text(old, "preemptionPolicy")))
            errors.invalid("preemptionPolicy", policy, Metadata.IMMUTABLE);
        return errors.list();
    }
}
