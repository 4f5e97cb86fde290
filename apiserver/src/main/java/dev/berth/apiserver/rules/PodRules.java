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
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What Kubernetes knows of a Pod. */
final class PodRules implements KindRules {
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
                    .putNull("lastTransitionTime")
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keepFrom(at(old, "metadata"), objectAt(next, "metadata"), "ownerReferences");
        ObjectNode status = objectAt(next, "status");
        if (text(status, "qosClass").isEmpty()) Metadata.keepFrom(at(old, "status"), status, "qosClass");
    }
}
