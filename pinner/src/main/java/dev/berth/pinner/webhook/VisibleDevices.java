package dev.berth.pinner.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.pinner.map.Keys;
import dev.berth.web.admission.JsonPatch;
import dev.berth.web.admission.JsonPointer;
import java.util.ArrayList;
import java.util.List;

/** Writes {@code CUDA_VISIBLE_DEVICES} into every container of a pod, init containers and sidecars included. */
final class VisibleDevices {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private VisibleDevices() {}

    /** @param respectExisting leaves containers alone that have the variable */
    static JsonPatch patch(ObjectNode pod, String devices, boolean respectExisting) {
        var patch = JsonPatch.of(pod);
        for (var list : List.of("containers", "initContainers")) {
            if (!(pod.path("spec").path(list) instanceof ArrayNode containers)) {
                continue;
            }
            for (int i = 0; i < containers.size(); i++) {
                if (isContainer(containers.get(i))) {
                    var pointer = JsonPointer.of("spec", list).with(i).with("env");
                    write(patch, pointer, containers.get(i).path("env"), devices, respectExisting);
                }
            }
        }
        return patch;
    }

    /** What is none is left for the API server to refuse. */
    private static boolean isContainer(JsonNode node) {
        var env = node.path("env");
        return node.isObject() && (env.isMissingNode() || env.isNull() || env.isArray());
    }

    private static void write(
            JsonPatch patch, JsonPointer env, JsonNode variables, String devices, boolean respectExisting) {
        if (variables.isEmpty()) {
            patch.add(env, JSON.arrayNode().add(variable(devices)));
            return;
        }
        var places = places(variables);
        if (places.isEmpty()) {
            patch.append(env, variable(devices));
            return;
        }
        if (respectExisting) {
            return;
        }
        int first = places.removeFirst();
        var existing = variables.get(first);
        if (existing.has("value") && !existing.has("valueFrom")) {
            patch.replace(env.with(first).with("value"), devices);
        } else {
            // A patch of a value that is not there would be a 500 which no failurePolicy covers.
            patch.replace(env.with(first), variable(devices));
        }
        // The last of several would win; from the end, so that the places before stay where they are.
        places.reversed().forEach(place -> patch.remove(env.with(place)));
    }

    private static List<Integer> places(JsonNode variables) {
        var places = new ArrayList<Integer>();
        for (int i = 0; i < variables.size(); i++) {
            if (variables.get(i).path("name").asText().equals(Keys.VISIBLE_DEVICES)) {
                places.add(i);
            }
        }
        return places;
    }

    private static ObjectNode variable(String devices) {
        return JSON.objectNode().put("name", Keys.VISIBLE_DEVICES).put("value", devices);
    }
}
