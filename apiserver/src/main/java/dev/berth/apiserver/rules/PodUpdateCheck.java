package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds what an update changes in a pod's spec that it may not. */
final class PodUpdateCheck {
    private static final String ONLY_THESE =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

    private PodUpdateCheck() {}

    static void run(JsonNode next, JsonNode old, Errors errors) {
        for (String list : List.of("containers", "initContainers"))
            if (!images(items(next, list), items(old, list), "spec." + list, errors)) return;
        if (!deadline(next, old, errors)) return;
        TolerationCheck.onlyAdded(items(next, "tolerations"), items(old, "tolerations"), "spec.tolerations", errors);
        gates(items(next, "schedulingGates"), items(old, "schedulingGates"), errors);
        if (next.equals(old)) return;
        rest((ObjectNode) next, (ObjectNode) old, errors);
    }

    private static boolean images(ArrayNode next, ArrayNode old, String path, Errors errors) {
        if (next.size() != old.size()) {
            errors.forbidden(path, "pod updates may not add or remove containers");
            return false;
        }
        for (int i = 0; i < next.size(); i++) {
            String image = text(next.get(i), "image");
            if (image.isEmpty()) errors.required(path + "[" + i + "].image", "");
            PodRules.noBlanks(image, path + "[" + i + "].image", errors);
        }
        return true;
    }

    private static boolean deadline(JsonNode next, JsonNode old, Errors errors) {
        String path = "spec.activeDeadlineSeconds";
        boolean was = has(old, "activeDeadlineSeconds");
        if (!has(next, "activeDeadlineSeconds")) {
            if (was)
                errors.invalid(path, MissingNode.getInstance(), "must not update from a positive integer to nil value");
            return true;
        }
        long deadline = number(next, "activeDeadlineSeconds");
        if (deadline < 0 || deadline > Integer.MAX_VALUE) {
            errors.invalid(path, deadline, "must be between 0 and 2147483647, inclusive");
            return false;
        }
        if (was && number(old, "activeDeadlineSeconds") < deadline) {
            errors.invalid(path, deadline, "must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private static void gates(ArrayNode next, ArrayNode old, Errors errors) {
        Set<String> known = new HashSet<>();
        for (JsonNode each : old) known.add(text(each, "name"));
        for (int i = 0; i < next.size(); i++) {
            String name = text(next.get(i), "name");
            if (!known.contains(name))
                errors.forbidden(
                        "spec.schedulingGates[" + i + "].name",
                        "only deletion is allowed, but found new scheduling gate '" + name + "'");
        }
    }

    private static void rest(ObjectNode next, ObjectNode old, Errors errors) {
        ObjectNode allowed = next.deepCopy();
        for (String list : List.of("containers", "initContainers"))
            for (int i = 0; i < items(allowed, list).size(); i++)
                Metadata.keepFrom(
                        items(old, list).get(i),
                        (ObjectNode) items(allowed, list).get(i),
                        "image");
        for (String field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations"))
            Metadata.keepFrom(old, allowed, field);
        if (number(old, "terminationGracePeriodSeconds") < 0 && number(next, "terminationGracePeriodSeconds") == 1)
            Metadata.keepFrom(old, allowed, "terminationGracePeriodSeconds");
        if (!items(old, "schedulingGates").isEmpty()) gated(allowed, old, errors);
        if (allowed.equals(old)) return;
        errors.forbidden(
                "spec",
                ONLY_THESE
                        + LineDiff.between(
                                GoJson.indented(InternalForm.of("core.PodSpec", old)),
                                GoJson.indented(InternalForm.of("core.PodSpec", allowed))));
    }

    /** A pod that waits at a gate may still be narrowed to fewer nodes. */
    private static void gated(ObjectNode allowed, ObjectNode old, Errors errors) {
        for (var entry : at(old, "nodeSelector").properties())
            if (!entry.getValue().equals(at(allowed, "nodeSelector").get(entry.getKey()))) {
                errors.invalid(
                        "spec.nodeSelector",
                        at(allowed, "nodeSelector"),
                        "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
                break;
            }
        Metadata.keepFrom(old, allowed, "nodeSelector");
        JsonNode before = at(at(old, "affinity"), "nodeAffinity");
        JsonNode after = at(at(allowed, "affinity"), "nodeAffinity");
        if (before.equals(after)) return;
        if (!before.isMissingNode()) return;
        if (at(allowed, "affinity") instanceof ObjectNode affinity) {
            affinity.remove("nodeAffinity");
            if (affinity.isEmpty() && !has(old, "affinity")) allowed.remove("affinity");
        }
    }
}
