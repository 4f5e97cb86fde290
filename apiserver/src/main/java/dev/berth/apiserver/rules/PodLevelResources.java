package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/** Resources that a pod asks for as a whole (KEP-2837). */
final class PodLevelResources {
    private PodLevelResources() {}

    static void applyDefaults(ObjectNode spec) {
        if (!(spec.get("resources") instanceof ObjectNode resources)) return;
        JsonNode limits = at(resources, "limits");
        if (limits.isEmpty()) return;
        ObjectNode requests = objectAt(resources, "requests");
        for (var sum : containerRequests(spec).entrySet())
            if (!has(requests, sum.getKey()))
                requests.put(sum.getKey(), sum.getValue().toString());
        for (var limit : limits.properties())
            if (!has(requests, limit.getKey()) && isSupported(limit.getKey()))
                requests.set(limit.getKey(), limit.getValue());
    }

    static boolean isSupported(String resource) {
        return isShared(resource) || resource.startsWith("hugepages-");
    }

    private static boolean isShared(String resource) {
        return resource.equals("cpu") || resource.equals("memory");
    }

    /** What all containers need at the same time: the running ones together, or the largest step of the start. */
    private static Map<String, Quantity> containerRequests(ObjectNode spec) {
        Map<String, Quantity> running = new HashMap<>();
        for (JsonNode container : items(spec, "containers")) add(container, running);
        Map<String, Quantity> sidecars = new HashMap<>();
        Map<String, Quantity> largestStep = new HashMap<>();
        for (JsonNode container : items(spec, "initContainers")) {
            Map<String, Quantity> step = new HashMap<>(sidecars);
            add(container, step);
            if (text(container, "restartPolicy").equals("Always")) {
                add(container, running);
                add(container, sidecars);
            }
            step.forEach((name, amount) -> largestStep.merge(name, amount, PodLevelResources::larger));
        }
        largestStep.forEach((name, amount) -> running.merge(name, amount, PodLevelResources::larger));
        return running;
    }

    private static Quantity larger(Quantity a, Quantity b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static void add(JsonNode container, Map<String, Quantity> sums) {
        for (var request : at(at(container, "resources"), "requests").properties())
            if (isShared(request.getKey()))
                sums.merge(request.getKey(), Quantity.parse(request.getValue().asText()), Quantity::plus);
    }
}
