package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentFlag;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.time.InstantSource;
import java.util.List;

/** What Kubernetes knows of a Pod. */
final class PodRules implements KindRules {
    private final InstantSource clock;

    PodRules(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void applyDefaults(ObjectNode pod) {
        if (!(pod.get("spec") instanceof ObjectNode spec)) return;
        PodSpecDefaults.apply(spec);
        for (String list : List.of("containers", "initContainers"))
            for (JsonNode container : items(spec, list)) requestsFromLimits(at(container, "resources"));
        PodLevelResources.applyDefaults(spec);
        absentFlag(spec, "enableServiceLinks", true);
        if (flag(spec, "hostNetwork")) hostPorts(spec);
    }

    private static void requestsFromLimits(JsonNode resources) {
        if (!(resources instanceof ObjectNode object) || !has(object, "limits")) return;
        ObjectNode requests = objectAt(object, "requests");
        for (var limit : at(object, "limits").properties())
            if (!has(requests, limit.getKey())) requests.set(limit.getKey(), limit.getValue());
    }

    private static void hostPorts(ObjectNode spec) {
        for (String list : List.of("containers", "initContainers"))
            for (JsonNode container : items(spec, list))
                for (JsonNode port : items(container, "ports"))
                    if (number(port, "hostPort") == 0) ((ObjectNode) port).set("hostPort", at(port, "containerPort"));
    }

    @Override
    public void prepareForCreate(ObjectNode pod) {
        JsonNode spec = at(pod, "spec");
        ObjectNode status = pod.putObject("status");
        status.put("phase", "Pending").put("qosClass", Qos.of(spec));
        if (!items(spec, "schedulingGates").isEmpty())
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .putNull("lastProbeTime")
                    .put("lastTransitionTime", Times.seconds(clock.instant()))
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keepFrom(at(old, "metadata"), objectAt(next, "metadata"), "ownerReferences");
        ObjectNode status = objectAt(next, "status");
        if (text(status, "qosClass").isEmpty()) Metadata.keepFrom(at(old, "status"), status, "qosClass");
        firstOf(status, "podIP", "podIPs");
        firstOf(status, "hostIP", "hostIPs");
    }

    /** The older field tells the first of the newer ones. */
    private static void firstOf(ObjectNode status, String one, String all) {
        var addresses = items(status, all);
        if (!addresses.isEmpty()) status.put(one, text(addresses.get(0), "ip"));
        else if (!text(status, one).isEmpty()) status.putArray(all).addObject().put("ip", text(status, one));
    }

    @Override
    public List<FieldError> validate(ObjectNode pod) {
        var errors = new Errors();
        spec(pod, errors);
        JsonNode spec = at(pod, "spec");
        if (!items(spec, "ephemeralContainers").isEmpty())
            errors.forbidden("spec.ephemeralContainers", "cannot be set on create");
        if (!text(spec, "nodeName").isEmpty() && !items(spec, "schedulingGates").isEmpty())
            errors.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
        return errors.list();
    }

    private static void spec(ObjectNode pod, Errors errors) {
        JsonNode spec = at(pod, "spec");
        PodSpecCheck.run(spec, "spec", errors);
        if (text(spec, "serviceAccountName").isEmpty()) tokens(items(spec, "volumes"), errors);
        for (String list : List.of("containers", "initContainers")) {
            var containers = items(spec, list);
            for (int i = 0; i < containers.size(); i++)
                noBlanks(text(containers.get(i), "image"), "spec." + list + "[" + i + "].image", errors);
        }
    }

    private static void tokens(ArrayNode volumes, Errors errors) {
        for (int i = 0; i < volumes.size(); i++) {
            var sources = items(at(volumes.get(i), "projected"), "sources");
            for (int j = 0; j < sources.size(); j++)
                if (has(sources.get(j), "serviceAccountToken"))
                    errors.forbidden(
                            "spec.volumes[%d].projected.sources[%d].serviceAccountToken".formatted(i, j),
                            "must not be specified when serviceAccountName is not set");
        }
    }

    static void noBlanks(String image, String path, Errors errors) {
        if (!image.strip().equals(image)) errors.invalid(path, image, "must not have leading or trailing whitespace");
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        Metadata.validate(at(next, "metadata"), true, Names::subdomain, "metadata", errors);
        spec(next, errors);
        PodUpdateCheck.run(at(next, "spec"), at(old, "spec"), errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode status = at(next, "status");
        var conditions = items(status, "conditions");
        for (int i = 0; i < conditions.size(); i++) {
            String type = text(conditions.get(i), "type");
            errors.invalid("status.conditions[" + i + "].Type", type, Names.qualified(type));
        }
        nominated(status, at(old, "status"), text(at(old, "spec"), "nodeName"), errors);
        if (!text(status, "qosClass").equals(text(at(old, "status"), "qosClass")))
            errors.invalid("status.qosClass", text(status, "qosClass"), Metadata.IMMUTABLE);
        return errors.list();
    }

    private static void nominated(JsonNode status, JsonNode old, String bound, Errors errors) {
        String name = text(status, "nominatedNodeName");
        if (name.isEmpty() || name.equals(text(old, "nominatedNodeName"))) return;
        errors.invalid("status.nominatedNodeName", name, Names.subdomain(name));
        if (!bound.isEmpty())
            errors.forbidden("status.nominatedNodeName", "may not be set on pods that are already bound to a node");
    }
}
