package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.objectAt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a ReplicaSet. */
final class ReplicaSetRules implements KindRules {
    @Override
    public void applyDefaults(ObjectNode set) {
        ObjectNode spec = objectAt(set, "spec");
        Templates.applyDefaults(spec);
        absentNumber(spec, "replicas", 1);
    }

    @Override
    public List<FieldError> validate(ObjectNode set) {
        var errors = new Errors();
        JsonNode spec = at(set, "spec");
        ReplicaCheck.notNegative(spec, "spec", List.of("minReadySeconds"), errors);
        replicated(spec, errors);
        return errors.list();
    }

    /** What a ReplicaSet and a Deployment, which makes some, have in common. */
    static void replicated(JsonNode spec, Errors errors) {
        ReplicaCheck.notNegative(spec, "spec", List.of("replicas"), errors);
        selector(spec, "deployment", errors);
        JsonNode template = at(spec, "template");
        if (!has(spec, "selector") || !Selectors.isEmpty(at(spec, "selector")))
            Templates.matching(spec, template, "spec.template", errors);
        Templates.check(template, "spec.template", errors);
        Templates.alwaysRestarted(template, "spec.template", "ReplicaSet", errors);
    }

    static void selector(JsonNode spec, String kind, Errors errors) {
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) {
            errors.required("spec.selector", "");
            return;
        }
        AffinityCheck.labelSelector(selector, "spec.selector", errors);
        if (Selectors.isEmpty(selector))
            errors.invalid("spec.selector", selector, "empty selector is invalid for " + kind);
    }

    static void sameSelector(ObjectNode next, ObjectNode old, Errors errors) {
        JsonNode selector = at(at(next, "spec"), "selector");
        if (!selector.equals(at(at(old, "spec"), "selector")))
            errors.invalid("spec.selector", InSelector.ordered(selector), Metadata.IMMUTABLE);
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        errors.addAll(validate(next));
        sameSelector(next, old, errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        ReplicaCheck.counts(
                at(next, "status"),
                List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
                "readyReplicas",
                errors);
        return errors.list();
    }
}
