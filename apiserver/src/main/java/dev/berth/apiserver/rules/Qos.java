package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Computes a pod's quality of service from what its containers ask for. */
final class Qos {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private Qos() {}

    static String of(JsonNode spec) {
        List<JsonNode> all = new ArrayList<>();
        JsonNode podResources = at(spec, "resources");
        boolean podLevel = !at(podResources, "requests").isEmpty()
                || !at(podResources, "limits").isEmpty();
        if (podLevel) all.add(podResources);
        else
            for (String list : List.of("containers", "initContainers"))
                for (JsonNode container : items(spec, list)) all.add(at(container, "resources"));
        Map<String, Quantity> requests = new HashMap<>();
        Map<String, Quantity> limits = new HashMap<>();
        boolean guaranteed = true;
        for (JsonNode resources : all) {
            sum(at(resources, "requests"), requests);
            guaranteed &= sum(at(resources, "limits"), limits) == COUNTED.size();
        }
        if (requests.isEmpty() && limits.isEmpty()) return "BestEffort";
        return guaranteed && requests.equals(limits) ? "Guaranteed" : "Burstable";
    }

    private static int sum(JsonNode amounts, Map<String, Quantity> sums) {
        int found = 0;
        for (String name : COUNTED) {
            if (!has(amounts, name)) continue;
            Quantity amount = Quantity.parse(at(amounts, name).asText());
            if (amount.signum() <= 0) continue;
            found++;
            sums.merge(name, amount, Quantity::plus);
        }
        return found;
    }
}
