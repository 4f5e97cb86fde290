package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import java.util.List;

/** What only pods have: they are bound to a node, and evicted from it. */
final class PodVerbs {
    private final Rooms rooms;
    private final Verbs verbs;

    PodVerbs(Rooms rooms, Verbs verbs) {
        this.rooms = rooms;
        this.verbs = verbs;
    }

    private ResourceType pods() {
        return rooms.catalog().byPath("", "v1", "pods").orElseThrow();
    }

    /** @param name the pod that the path names; empty for the older address, where only the body does */
    void bind(Exchange exchange, String namespace, String name) {
        Call call = exchange.call("CreateOptions");
        ObjectNode binding = exchange.object(rooms.decoder(), "v1", "Binding", call);
        String own = Metadata.text(binding, "name");
        if (!name.isEmpty() && !own.equals(name)) {
            throw ApiException.badRequest("name in URL does not match name in Binding object");
        }
        checkTarget(binding.path("target"));
        var attributes = new AdmissionAttributes(
                Operation.CREATE, pods(), "binding", namespace, own, null, call.dryRun(), call.user(), call.options());
        ObjectNode admitted = rooms.admission().mutate(attributes, binding, call.warnings());
        ObjectNode agreed = admitted == null ? binding : admitted;
        rooms.admission().validate(attributes, agreed, call.warnings());
        verbs.amend(pods(), namespace, own, pod -> bound(pod, agreed), call);
        exchange.reply().tree(201, success());
    }

    private static void checkTarget(JsonNode target) {
        String kind = target.path("kind").asText("");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            throw new ApiException(
                    500,
                    "",
                    "target.kind: Unsupported value: \"%s\": supported values: \"Node\", \"<empty>\"".formatted(kind),
                    null);
        }
        if (target.path("name").asText("").isEmpty()) {
            throw new ApiException(500, "", "target.name: Required value", null);
        }
    }

    private ObjectNode bound(ObjectNode pod, ObjectNode binding) {
        String name = Metadata.text(pod, "name");
        checkPreconditions(pod, binding);
        if (Metadata.deleting(pod)) {
            throw refused(name, "pod %s is being deleted, cannot be assigned to a host".formatted(name));
        }
        String node = pod.path("spec").path("nodeName").asText("");
        if (!node.isEmpty()) throw refused(name, "pod %s is already assigned to node \"%s\"".formatted(name, node));
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw refused(name, "pod %s has non-empty .spec.schedulingGates".formatted(name));
        }
        ((ObjectNode) pod.path("spec")).set("nodeName", binding.path("target").path("name"));
        mergeInto(pod, binding, "annotations");
        mergeInto(pod, binding, "labels");
        ObjectNode condition = JsonNodeFactory.instance.objectNode();
        condition.put("type", "PodScheduled").put("status", "True").putNull("lastProbeTime");
        condition.put("lastTransitionTime", Metadata.time(rooms.clock().instant()));
        setCondition(pod, condition);
        return pod;
    }

    private static void checkPreconditions(ObjectNode pod, ObjectNode binding) {
        for (String field : List.of("uid", "resourceVersion")) {
            String wanted = Metadata.text(binding, field);
            String found = Metadata.text(pod, field);
            if (wanted.isEmpty() || wanted.equals(found)) continue;
            String word = field.equals("uid") ? "UID" : "ResourceVersion";
            String name = Metadata.text(pod, "name");
            throw new ApiException(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled on pods \"%s\": StorageError: invalid object, Code: 4, Key: /registry/pods/%s/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: %s in precondition: %s, %s in object meta: %s"
                            .formatted(name, Metadata.text(pod, "namespace"), name, word, wanted, word, found),
                    JsonNodeFactory.instance.objectNode().put("name", name).put("kind", "pods"));
        }
    }

    private static void mergeInto(ObjectNode pod, ObjectNode binding, String field) {
        JsonNode added = binding.path("metadata").path(field);
        if (added.isEmpty()) return;
        ObjectNode metadata = Metadata.of(pod);
        ObjectNode present = metadata.get(field) instanceof ObjectNode found ? found : metadata.putObject(field);
        added.properties().forEach(each -> present.set(each.getKey(), each.getValue()));
    }

    private static ApiException refused(String name, String why) {
        return new ApiException(
                409,
                "Conflict",
                "Operation cannot be fulfilled on pods/binding \"%s\": %s".formatted(name, why),
                JsonNodeFactory.instance.objectNode().put("name", name).put("kind", "pods/binding"));
    }

    private static void setCondition(ObjectNode pod, ObjectNode condition) {
        ObjectNode status = pod.get("status") instanceof ObjectNode present ? present : pod.putObject("status");
        ArrayNode conditions =
                status.get("conditions") instanceof ArrayNode present ? present : status.putArray("conditions");
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).path("type").equals(condition.get("type"))) continue;
            conditions.set(i, condition);
            return;
        }
        conditions.add(condition);
    }

    void evict(Exchange exchange, Address address, ResourceType type) {
        Call call = exchange.call("CreateOptions");
        ObjectNode eviction = exchange.object(rooms.decoder(), "policy/v1", "Eviction", call);
        String name = address.name();
        if (!Metadata.text(eviction, "name").equals(name)) {
            throw ApiException.badRequest("name in URL does not match name in Eviction object");
        }
        Stored stored = rooms.repository()
                .find(type, address.namespace(), name)
                .orElseThrow(() -> ApiException.notFound(type, name));
        ObjectNode pod = Json.tree(type, stored);
        DeleteOptions options = DeleteOptions.of(eviction.path("deleteOptions"), Query.NONE);
        options.check(type, name, stored);
        String phase = pod.path("status").path("phase").asText("");
        boolean running = !phase.equals("Succeeded") && !phase.equals("Failed") && !phase.equals("Pending");
        if (running && !Metadata.deleting(pod)) new Budgets(rooms, verbs).spend(stored, address.namespace(), call);
        verbs.amend(type, address.namespace(), name, this::disrupted, call);
        verbs.delete(type, address.namespace(), name, options, call);
        exchange.reply().tree(201, success());
    }

    private ObjectNode disrupted(ObjectNode pod) {
        ObjectNode condition = JsonNodeFactory.instance.objectNode();
        condition.put("type", "DisruptionTarget").put("status", "True").putNull("lastProbeTime");
        condition.put("lastTransitionTime", Metadata.time(rooms.clock().instant()));
        condition.put("reason", "EvictionByEvictionAPI").put("message", "Eviction API: evicting");
        setCondition(pod, condition);
        return pod;
    }

    private static ObjectNode success() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
        return status.put("status", "Success").put("code", 201);
    }
}
