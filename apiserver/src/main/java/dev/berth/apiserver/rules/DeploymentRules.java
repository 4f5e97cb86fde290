package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
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

/** What Kubernetes knows of a Deployment. */
final class DeploymentRules implements KindRules {
    private static final List<String> STRATEGIES = List.of("Recreate", "RollingUpdate");

    @Override
    public void applyDefaults(ObjectNode deployment) {
        ObjectNode spec = objectAt(deployment, "spec");
        Templates.applyDefaults(spec);
        absentNumber(spec, "replicas", 1);
        ObjectNode strategy = objectAt(spec, "strategy");
        defaultText(strategy, "type", "RollingUpdate");
        if (text(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = objectAt(strategy, "rollingUpdate");
            absentText(rolling, "maxUnavailable", "25%");
            absentText(rolling, "maxSurge", "25%");
        }
        absentNumber(spec, "revisionHistoryLimit", 10);
        absentNumber(spec, "progressDeadlineSeconds", 600);
    }

    @Override
    public List<FieldError> validate(ObjectNode deployment) {
        var errors = new Errors();
        spec(at(deployment, "spec"), errors);
        return errors.list();
    }

    private static void spec(JsonNode spec, Errors errors) {
        ReplicaSetRules.replicated(spec, errors);
        strategy(at(spec, "strategy"), errors);
        ReplicaCheck.notNegative(
                spec, "spec", List.of("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"), errors);
        long deadline = number(spec, "progressDeadlineSeconds");
        if (deadline <= number(spec, "minReadySeconds"))
            errors.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds");
    }

    private static void strategy(JsonNode strategy, Errors errors) {
        String path = "spec.strategy.rollingUpdate";
        JsonNode rolling = at(strategy, "rollingUpdate");
        switch (text(strategy, "type")) {
            case "Recreate" -> {
                if (has(strategy, "rollingUpdate"))
                    errors.forbidden(path, "may not be specified when strategy `type` is 'Recreate'");
            }
            case "RollingUpdate" -> {
                JsonNode unavailable = at(rolling, "maxUnavailable");
                Percents.positive(unavailable, path + ".maxUnavailable", errors);
                Percents.positive(at(rolling, "maxSurge"), path + ".maxSurge", errors);
                if (Percents.value(unavailable) == 0 && Percents.value(at(rolling, "maxSurge")) == 0)
                    errors.invalid(path + ".maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0");
                Percents.atMostAll(unavailable, path + ".maxUnavailable", errors);
            }
            default ->
                errors.add(unknown("spec.strategy", InternalForm.of("apps.DeploymentStrategy", strategy), STRATEGIES));
        }
    }

    static FieldError unknown(String path, JsonNode strategy, List<String> known) {
        return new FieldError(
                "FieldValueNotSupported",
                path,
                "Unsupported value: %s: supported values: \"%s\"".formatted(strategy, String.join("\", \"", known)));
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        spec(at(next, "spec"), errors);
        ReplicaSetRules.sameSelector(next, old, errors);
        return errors.list();
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keepFrom(at(old, "metadata"), objectAt(next, "metadata"), "labels");
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        ReplicaCheck.counts(
                at(next, "status"),
                List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
                "readyReplicas",
                errors);
        ReplicaCheck.notDecremented(at(next, "status"), at(old, "status"), errors);
        return errors.list();
    }
}
