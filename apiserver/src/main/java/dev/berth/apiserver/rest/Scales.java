package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import dev.berth.apiserver.store.Stored;
import java.util.ArrayList;
import java.util.List;

/** How many replicas a workload has, whatever its kind: {@code autoscaling/v1} Scale. */
final class Scales {
    private final Rooms rooms;
    private final Verbs verbs;

    Scales(Rooms rooms, Verbs verbs) {
        this.rooms = rooms;
        this.verbs = verbs;
    }

    void serve(Exchange exchange, Address address, ResourceType type, String verb) {
        Stored stored = switch (verb) {
            case "get" -> find(address, type);
            case "update" -> {
                Call call = exchange.call("UpdateOptions");
                ObjectNode scale = exchange.object(rooms.decoder(), "autoscaling/v1", "Scale", call);
                yield write(address, type, _ -> scale, call);
            }
            default -> {
                Call call = exchange.call("PatchOptions");
                PatchRequest patch = PatchRequest.of(exchange, type);
                yield write(address, type, live -> patch.applyToScale(of(type, live)), call);
            }
        };
        exchange.reply().tree(200, of(type, Json.tree(type, stored)));
    }

    private Stored find(Address address, ResourceType type) {
        return rooms.repository()
                .find(type, address.namespace(), address.name())
                .orElseThrow(() -> ApiException.notFound(type, address.name()));
    }

    private interface Wish {
        ObjectNode scale(ObjectNode live);
    }

    private Stored write(Address address, ResourceType type, Wish wish, Call call) {
        return verbs.edit(
                type,
                "scale",
                address.namespace(),
                address.name(),
                live -> {
                    ObjectNode scale = wish.scale(live);
                    check(address.name(), scale);
                    String version = Metadata.text(scale, "resourceVersion");
                    // Without a version of its own, the scale is written onto whatever is there.
                    if (!version.isEmpty()) Metadata.of(live).put("resourceVersion", version);
                    ScalePaths.of(rooms, type)
                            .replicas(live, scale.path("spec").path("replicas").asInt(0));
                    return live;
                },
                call);
    }

    private static void check(String name, ObjectNode scale) {
        String own = Metadata.text(scale, "name");
        if (!own.equals(name)) {
            throw ApiException.badRequest(
                    own.isEmpty()
                            ? "name must be provided"
                            : "the name of the object (%s) does not match the name on the URL (%s)"
                                    .formatted(own, name));
        }
        long replicas = scale.path("spec").path("replicas").asLong(0);
        if (replicas >= 0) return;
        throw ApiException.invalid(
                "autoscaling",
                "Scale",
                name,
                List.of(FieldError.invalid(
                        "spec.replicas", Long.toString(replicas), "must be greater than or equal to 0")));
    }

    private ObjectNode of(ResourceType type, ObjectNode live) {
        ScalePaths paths = ScalePaths.of(rooms, type);
        ObjectNode scale = JsonNodeFactory.instance.objectNode();
        scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = live.path("metadata").get(field);
            if (value != null) metadata.set(field, value);
        }
        ObjectNode spec = scale.putObject("spec");
        int replicas = live.at(paths.wanted()).asInt(0);
        if (replicas != 0) spec.put("replicas", replicas);
        ObjectNode status = scale.putObject("status");
        status.put("replicas", live.at(paths.found()).asInt(0));
        String selector = paths.selector().isEmpty()
                ? selector(type, live.path("spec").path("selector"))
                : live.at(paths.selector()).asText("");
        if (!selector.isEmpty()) status.put("selector", selector);
        return scale;
    }

    private static String selector(ResourceType type, JsonNode selector) {
        JsonNode labels = type.kind().equals("ReplicationController") ? selector : selector.path("matchLabels");
        List<String> terms = new ArrayList<>();
        labels.properties()
                .forEach(each -> terms.add(each.getKey() + "=" + each.getValue().asText()));
        for (JsonNode each : selector.path("matchExpressions")) terms.add(expression(each));
        terms.sort(null);
        return String.join(",", terms);
    }

    private static String expression(JsonNode expression) {
        String key = expression.path("key").asText();
        List<String> values = new ArrayList<>();
        expression.path("values").forEach(each -> values.add(each.asText()));
        values.sort(null);
        String list = "(" + String.join(",", values) + ")";
        return switch (expression.path("operator").asText()) {
            case "In" -> key + " in " + list;
            case "NotIn" -> key + " notin " + list;
            case "DoesNotExist" -> "!" + key;
            default -> key;
        };
    }
}
