package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Access to devices that others hold is for namespaces that carry a label. */
record AdminAccess(Function<String, Map<String, String>> labels) {
    private static final String LABEL = "resource.kubernetes.io/admin-access";

    /** The path is the same in a template: Kubernetes leaves out where in it the claim lies. */
    void requests(ObjectNode object, JsonNode devices, Errors errors) {
        first(items(devices, "requests"), request -> isAsked(at(request, "exactly")))
                .ifPresent(index -> check(object, "spec.devices.requests[" + index + "]", errors));
    }

    /** What was granted once stays granted. */
    void results(ObjectNode next, ObjectNode old, Errors errors) {
        if (first(granted(old), AdminAccess::isAsked).isEmpty())
            first(granted(next), AdminAccess::isAsked)
                    .ifPresent(index -> check(next, "status.allocation.devices.results[" + index + "]", errors));
    }

    private static ArrayNode granted(ObjectNode claim) {
        return items(at(at(at(claim, "status"), "allocation"), "devices"), "results");
    }

    private static OptionalInt first(ArrayNode list, Predicate<JsonNode> test) {
        return IntStream.range(0, list.size())
                .filter(index -> test.test(list.get(index)))
                .findFirst();
    }

    private static boolean isAsked(JsonNode part) {
        return at(part, "adminAccess").asBoolean();
    }

    private void check(ObjectNode object, String path, Errors errors) {
        String namespace = text(at(object, "metadata"), "namespace");
        if (!"true".equals(labels.apply(namespace).get(LABEL)))
            errors.forbidden(
                    path + ".adminAccess",
                    "admin access to devices requires the `%s: true` label on the containing namespace"
                            .formatted(LABEL));
    }
}
