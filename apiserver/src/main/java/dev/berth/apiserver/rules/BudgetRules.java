package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a PodDisruptionBudget. */
final class BudgetRules implements KindRules {
    @Override
    public List<FieldError> validate(ObjectNode budget) {
        var errors = new Errors();
        JsonNode spec = at(budget, "spec");
        if (has(spec, "minAvailable") && has(spec, "maxUnavailable"))
            errors.invalid(
                    "spec",
                    InternalForm.of("policy.PodDisruptionBudgetSpec", spec),
                    "minAvailable and maxUnavailable cannot be both set");
        for (String field : List.of("minAvailable", "maxUnavailable")) {
            if (!has(spec, field)) continue;
            Percents.positive(at(spec, field), "spec." + field, errors);
            Percents.atMostAll(at(spec, field), "spec." + field, errors);
        }
        AffinityCheck.labelSelector(at(spec, "selector"), "spec.selector", errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return validate(next);
    }
}
