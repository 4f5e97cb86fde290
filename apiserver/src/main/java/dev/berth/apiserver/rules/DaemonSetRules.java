package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a DaemonSet. */
final class DaemonSetRules implements KindRules {
    private static final List<String> STRATEGIES = List.of("RollingUpdate", "OnDelete");
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    @Override
    public void applyDefaults(ObjectNode set) {
        ObjectNode spec = objectAt(set, "spec");
        Templates.applyDefaults(spec);
        ObjectNode strategy = objectAt(spec, "updateStrategy");
        defaultText(strategy, "type", "RollingUpdate");
        if (text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = objectAt(strategy, "rollingUpdate");
            absentNumber(rolling, "maxUnavailable", 1);
            absentNumber(rolling, "maxSurge", 0);
        }
        absentNumber(spec, "revisionHistoryLimit", 10);
    }

    /** The template's own generation went from the spec into an annotation. */
    @Override
    public void prepareForCreate(ObjectNode set) {
        ObjectNode annotations = objectAt(objectAt(set, "metadata"), "annotations");
        if (text(annotations, TEMPLATE_GENERATION).isEmpty()) annotations.put(TEMPLATE_GENERATION, "1");
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        ObjectNode annotations = objectAt(objectAt(next, "metadata"), "annotations");
        String generation = text(at(at(old, "metadata"), "annotations"), TEMPLATE_GENERATION);
        boolean changed = !at(at(next, "spec"), "template").equals(at(at(old, "spec"), "template"));
        long number = generation.isEmpty() ? 0 : Long.parseLong(generation);
        annotations.put(TEMPLATE_GENERATION, Long.toString(changed ? number + 1 : number));
    }

    @Override
    public List<FieldError> validate(ObjectNode set) {
        var errors = new Errors();
        JsonNode spec = at(set, "spec");
        JsonNode selector = at(spec, "selector");
        JsonNode template = at(spec, "template");
        AffinityCheck.labelSelector(selector, "spec.selector", errors);
        Templates.matching(spec, template, "spec.template", errors);
        if (has(spec, "selector") && Selectors.isEmpty(selector))
            errors.invalid("spec.selector", selector, "empty selector is invalid for daemonset");
        Templates.check(template, "spec.template", errors);
        Templates.alwaysRestarted(template, "spec.template", "DaemonSet", errors);
        ReplicaCheck.notNegative(spec, "spec", List.of("minReadySeconds", "revisionHistoryLimit"), errors);
        strategy(at(spec, "updateStrategy"), errors);
        return errors.list();
    }

    private static void strategy(JsonNode strategy, Errors errors) {
        String path = "spec.updateStrategy.rollingUpdate";
        String type = text(strategy, "type");
        if (!STRATEGIES.contains(type))
            errors.add(DeploymentRules.unknown(
                    "spec.updateStrategy", InternalForm.of("apps.DaemonSetUpdateStrategy", strategy), STRATEGIES));
        if (!type.equals("RollingUpdate")) return;
        JsonNode unavailable = at(at(strategy, "rollingUpdate"), "maxUnavailable");
        JsonNode surge = at(at(strategy, "rollingUpdate"), "maxSurge");
        Percents.positive(unavailable, path + ".maxUnavailable", errors);
        Percents.positive(surge, path + ".maxSurge", errors);
        Percents.atMostAll(unavailable, path + ".maxUnavailable", errors);
        Percents.atMostAll(surge, path + ".maxSurge", errors);
        boolean some = Percents.value(unavailable) != 0;
        boolean surges = Percents.value(surge) != 0;
        if (some && surges) errors.invalid(path + ".maxSurge", surge, "may not be set when maxUnavailable is non-zero");
        if (!some && !surges) errors.required(path + ".maxUnavailable", "cannot be 0 when maxSurge is 0");
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        errors.addAll(validate(next));
        ReplicaSetRules.sameSelector(next, old, errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        ReplicaCheck.notNegative(
                at(next, "status"),
                "status",
                List.of(
                        "currentNumberScheduled",
                        "numberMisscheduled",
                        "desiredNumberScheduled",
                        "numberReady",
                        "observedGeneration",
                        "updatedNumberScheduled",
                        "numberAvailable",
                        "numberUnavailable"),
                errors);
        return errors.list();
    }
}
