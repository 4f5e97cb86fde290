package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What Kubernetes knows of a StatefulSet. */
final class StatefulSetRules implements KindRules {
    private static final List<String> RETENTIONS = List.of("Retain", "Delete");
    private static final List<String> CHANGEABLE = List.of(
            "replicas",
            "template",
            "updateStrategy",
            "minReadySeconds",
            "ordinals",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy");
    private static final String ONLY_THESE =
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
                    + "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

    @Override
    public void applyDefaults(ObjectNode set) {
        ObjectNode spec = objectAt(set, "spec");
        Templates.applyDefaults(spec);
        for (JsonNode each : items(spec, "volumeClaimTemplates"))
            if (each instanceof ObjectNode claim) {
                defaultText(claim, "kind", "PersistentVolumeClaim");
                defaultText(claim, "apiVersion", "v1");
                absentText(objectAt(claim, "spec"), "volumeMode", "Filesystem");
                defaultText(objectAt(claim, "status"), "phase", "Pending");
            }
        defaultText(spec, "podManagementPolicy", "OrderedReady");
        strategy(objectAt(spec, "updateStrategy"));
        ObjectNode retention = objectAt(spec, "persistentVolumeClaimRetentionPolicy");
        defaultText(retention, "whenDeleted", "Retain");
        defaultText(retention, "whenScaled", "Retain");
        absentNumber(spec, "replicas", 1);
        absentNumber(spec, "revisionHistoryLimit", 10);
    }

    private static void strategy(ObjectNode strategy) {
        if (text(strategy, "type").isEmpty()) {
            strategy.put("type", "RollingUpdate");
            objectAt(strategy, "rollingUpdate");
        }
        if (!text(strategy, "type").equals("RollingUpdate")) return;
        if (!(strategy.get("rollingUpdate") instanceof ObjectNode rolling)) return;
        absentNumber(rolling, "partition", 0);
    }

    @Override
    public List<FieldError> validate(ObjectNode set) {
        var errors = new Errors();
        JsonNode spec = at(set, "spec");
        spec(spec, errors);
        String service = text(spec, "serviceName");
        if (!service.isEmpty()) errors.invalid("spec.serviceName", service, Names.label(service));
        return errors.list();
    }

    private static void spec(JsonNode spec, Errors errors) {
        String management = text(spec, "podManagementPolicy");
        if (!management.equals("OrderedReady") && !management.equals("Parallel"))
            errors.invalid("spec.podManagementPolicy", management, "must be 'OrderedReady' or 'Parallel'");
        checkStrategy(at(spec, "updateStrategy"), errors);
        JsonNode retention = at(spec, "persistentVolumeClaimRetentionPolicy");
        for (String field : List.of("whenDeleted", "whenScaled"))
            if (!RETENTIONS.contains(text(retention, field)))
                errors.notSupported(
                        "spec.persistentVolumeClaimRetentionPolicy." + field, text(retention, field), RETENTIONS);
        ReplicaCheck.notNegative(spec, "spec", List.of("replicas", "minReadySeconds"), errors);
        ReplicaCheck.notNegative(at(spec, "ordinals"), "spec.ordinals", List.of("start"), errors);
        ReplicaSetRules.selector(spec, "statefulset", errors);
        JsonNode template = at(spec, "template");
        if (!has(spec, "selector") || !Selectors.isEmpty(at(spec, "selector")))
            Templates.matching(spec, template, "spec.template", errors);
        Templates.check(withClaims(spec), "spec.template", errors);
        Templates.alwaysRestarted(template, "spec.template", "StatefulSet", errors);
    }

    /** Containers may mount what the claim templates will make. */
    private static JsonNode withClaims(JsonNode spec) {
        JsonNode template = at(spec, "template");
        var claims = items(spec, "volumeClaimTemplates");
        if (claims.isEmpty() || !(template instanceof ObjectNode object)) return template;
        ObjectNode extended = object.deepCopy();
        ObjectNode podSpec = objectAt(extended, "spec");
        Set<String> names = new HashSet<>();
        for (JsonNode claim : claims) names.add(text(at(claim, "metadata"), "name"));
        ArrayNode volumes = podSpec.arrayNode();
        for (JsonNode volume : items(podSpec, "volumes"))
            if (!names.contains(text(volume, "name"))) volumes.add(volume);
        for (String name : names)
            volumes.addObject()
                    .put("name", name)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", name);
        podSpec.set("volumes", volumes);
        return extended;
    }

    private static void checkStrategy(JsonNode strategy, Errors errors) {
        JsonNode rolling = at(strategy, "rollingUpdate");
        switch (text(strategy, "type")) {
            case "OnDelete" -> {
                if (rolling.isObject())
                    errors.invalid(
                            "spec.updateStrategy.rollingUpdate",
                            at(InternalForm.of("apps.StatefulSetUpdateStrategy", strategy), "RollingUpdate"),
                            "only allowed for updateStrategy 'RollingUpdate'");
            }
            case "RollingUpdate" -> {
                String path = "spec.updateStrategy.rollingUpdate";
                ReplicaCheck.notNegative(rolling, path, List.of("partition"), errors);
                JsonNode unavailable = at(rolling, "maxUnavailable");
                if (unavailable.isMissingNode()) return;
                Percents.positive(unavailable, path + ".maxUnavailable", errors);
                if (Percents.value(unavailable) == 0)
                    errors.invalid(path + ".maxUnavailable", unavailable, "cannot be 0");
                Percents.atMostAll(unavailable, path + ".maxUnavailable", errors);
            }
            default ->
                errors.invalid(
                        "spec.updateStrategy",
                        InternalForm.of("apps.StatefulSetUpdateStrategy", strategy),
                        "must be 'RollingUpdate' or 'OnDelete'");
        }
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        spec(at(next, "spec"), errors);
        if (!withoutChangeable(next).equals(withoutChangeable(old))) errors.forbidden("spec", ONLY_THESE);
        return errors.list();
    }

    private static ObjectNode withoutChangeable(ObjectNode set) {
        ObjectNode rest = objectAt(set, "spec").deepCopy();
        rest.remove(CHANGEABLE);
        return rest;
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        ReplicaCheck.counts(
                at(next, "status"),
                List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
                "status.readyReplicas",
                errors);
        ReplicaCheck.notDecremented(at(next, "status"), at(old, "status"), errors);
        return errors.list();
    }
}
