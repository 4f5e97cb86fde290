package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.LabelSelector;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the workload controllers know of pods. */
final class Pods {
    /** First to go: what was never placed, does not run, is not ready, costs least, became ready last. */
    static final Comparator<ObjectNode> FIRST_TO_GO = Comparator.comparing((ObjectNode pod) ->
                    !pod.path("spec").path("nodeName").asText("").isEmpty())
            .thenComparingInt(pod -> List.of("Pending", "Unknown", "Running").indexOf(phase(pod)))
            .thenComparing(Pods::ready)
            .thenComparingInt(Pods::deletionCost)
            .thenComparing(Pods::readySince, Comparator.reverseOrder())
            .thenComparing(Fields::created, Comparator.reverseOrder())
            .thenComparing(Fields::name);

    private Pods() {}

    static String phase(JsonNode pod) {
        return pod.path("status").path("phase").asText("");
    }

    static boolean finished(JsonNode pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    static boolean active(JsonNode pod) {
        return !finished(pod) && !Fields.deleting(pod);
    }

    static boolean ready(JsonNode pod) {
        return Fields.holds(pod, "Ready");
    }

    static boolean available(JsonNode pod, int minReadySeconds, Instant now) {
        return ready(pod)
                && (minReadySeconds == 0
                        || !readySince(pod).plusSeconds(minReadySeconds).isAfter(now));
    }

    /** Until the first of the ready pods becomes available; not positive when none is waited for. */
    static Duration untilAvailable(List<ObjectNode> pods, int minReadySeconds, Instant now) {
        return pods.stream()
                .filter(pod -> ready(pod) && !available(pod, minReadySeconds, now))
                .map(pod -> Duration.between(now, readySince(pod).plusSeconds(minReadySeconds)))
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static Instant readySince(JsonNode pod) {
        return Fields.instant(Fields.condition(pod, "Ready").path("lastTransitionTime"));
    }

    private static int deletionCost(JsonNode pod) {
        try {
            String cost = Fields.annotation(pod, "controller.kubernetes.io/pod-deletion-cost");
            return cost.isEmpty() ? 0 : Integer.parseInt(cost);
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /** A pod of the owner's template, owned and controlled by it, still without a name. */
    static ObjectNode fromTemplate(ObjectNode owner, JsonNode template) {
        var pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("generateName", Fields.name(owner) + "-");
        metadata.put("namespace", Fields.namespace(owner));
        for (String copied : List.of("labels", "annotations", "finalizers")) {
            JsonNode value = template.path("metadata").path(copied);
            if (!value.isEmpty()) metadata.set(copied, value.deepCopy());
        }
        metadata.putArray("ownerReferences").add(Fields.controllerReference(owner));
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    /**
     * The pods that an owner controls, after it took in those that fit and have nobody, and let go of those that no
     * longer fit.
     */
    static List<ObjectNode> claimed(Cluster cluster, ObjectNode owner, LabelSelector selector) {
        List<ObjectNode> claimed = new ArrayList<>();
        Resource resource = Resources.PODS;
        Mirror mirror = cluster.mirror(resource);
        boolean ends = Fields.deleting(owner);
        for (ObjectNode pod : mirror.controlledBy(Fields.uid(owner))) {
            if (selector.matches(pod)) claimed.add(pod);
            else if (!ends) cluster.modify(resource, pod, live -> release(live, Fields.uid(owner)));
        }
        if (ends) return claimed;
        for (ObjectNode pod : mirror.orphans(Fields.namespace(owner))) {
            if (!active(pod) || !selector.matches(pod)) continue;
            cluster.modify(resource, pod, live -> adopt(live, owner)).ifPresent(claimed::add);
        }
        return claimed;
    }

    private static boolean adopt(ObjectNode pod, ObjectNode owner) {
        if (!Fields.controller(pod).isMissingNode() || Fields.deleting(pod)) return false;
        pod.withObjectProperty("metadata").withArrayProperty("ownerReferences").add(Fields.controllerReference(owner));
        return true;
    }

    private static boolean release(ObjectNode pod, String uid) {
        var owners = pod.withObjectProperty("metadata").withArrayProperty("ownerReferences");
        for (int i = 0; i < owners.size(); i++) {
            if (owners.get(i).path("uid").asText().equals(uid)) {
                owners.remove(i);
                return true;
            }
        }
        return false;
    }
}
