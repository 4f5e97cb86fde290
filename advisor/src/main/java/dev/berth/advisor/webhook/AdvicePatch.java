package dev.berth.advisor.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.ask.Recommendation;
import dev.berth.advisor.cluster.GpuResources;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.cluster.Labels;
import dev.berth.web.admission.JsonPatch;
import dev.berth.web.admission.JsonPointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes advice into a pod or a template, in the published order; what the user wrote stays unless told otherwise. */
final class AdvicePatch {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final int WEIGHT = 100;

    private final Subject subject;
    private final JsonPatch patch;

    AdvicePatch(Subject subject) {
        this.subject = subject;
        this.patch = JsonPatch.changing(subject.object());
    }

    JsonPatch patch() {
        return patch;
    }

    AdvicePatch priorityClass(String name) {
        patch.add(subject.place().spec("priorityClassName"), name);
        // The API server has filled them in from no class, and refuses them beside another.
        patch.removeIfPresent(subject.place().spec("priority"));
        patch.removeIfPresent(subject.place().spec("preemptionPolicy"));
        return this;
    }

    AdvicePatch nodeSelector(Map<String, String> labels, boolean override) {
        var place = subject.place().spec("nodeSelector");
        var existing = subject.spec().path("nodeSelector");
        if (labels.isEmpty()) {
            return this;
        }
        if (override && Keys.GPU_LABELS.stream().anyMatch(labels::containsKey)) {
            // A node has one type: the user's, under the other label, would leave no node for the pod.
            Keys.GPU_LABELS.stream()
                    .filter(key -> !labels.containsKey(key))
                    .forEach(key -> patch.removeIfPresent(place.with(key)));
        }
        if (existing.isEmpty()) {
            var selector = JSON.objectNode();
            labels.forEach(selector::put);
            patch.add(place, selector);
            return this;
        }
        var missing = new LinkedHashMap<String, String>();
        labels.forEach((key, value) -> {
            if (!existing.has(key) || (override && !existing.path(key).asText().equals(value))) {
                missing.put(key, value);
            }
        });
        missing.forEach((key, value) -> patch.add(place.with(key), value));
        return this;
    }

    AdvicePatch tolerations(List<ObjectNode> wanted) {
        var place = subject.place().spec("tolerations");
        for (var toleration : wanted) {
            if (!tolerated(subject.spec().path("tolerations"), toleration)) {
                patch.append(place, toleration);
            }
        }
        return this;
    }

    /** Whether one of them covers it: the same, or wider. */
    private static boolean tolerated(JsonNode existing, ObjectNode wanted) {
        for (var each : existing) {
            var key = each.path("key").asText("");
            var effect = each.path("effect").asText("");
            boolean exists = each.path("operator").asText("").equals("Exists");
            boolean sameKey = key.equals(wanted.path("key").asText(""));
            boolean sameValue =
                    each.path("value").asText("").equals(wanted.path("value").asText(""))
                            && !wanted.path("operator").asText("").equals("Exists");
            boolean sameEffect =
                    effect.isEmpty() || effect.equals(wanted.path("effect").asText(""));
            if (sameEffect && ((exists && (key.isEmpty() || sameKey)) || (sameKey && sameValue))) {
                return true;
            }
        }
        return false;
    }

    /** One preferred term for each type of job, beside the user's own. */
    AdvicePatch antiAffinity(List<String> avoid) {
        var affinity = subject.spec().path("affinity");
        var existing = affinity.path("podAntiAffinity").path(PREFERRED);
        var terms = new ArrayList<ObjectNode>();
        for (var type : avoid) {
            var term = term(type);
            if (!contains(existing, term)) {
                terms.add(term);
            }
        }
        if (terms.isEmpty()) {
            return this;
        }
        var place = subject.place().spec("affinity");
        var list = JSON.arrayNode().addAll(terms);
        if (affinity.isEmpty()) {
            patch.add(place, JSON.objectNode().set("podAntiAffinity", preferring(list)));
        } else if (affinity.path("podAntiAffinity").isEmpty()) {
            patch.add(place.with("podAntiAffinity"), preferring(list));
        } else if (existing.isEmpty()) {
            patch.add(place.with("podAntiAffinity").with(PREFERRED), list);
        } else {
            terms.forEach(term -> patch.append(place.with("podAntiAffinity").with(PREFERRED), term));
        }
        return this;
    }

    private static ObjectNode preferring(ArrayNode terms) {
        return JSON.objectNode().set(PREFERRED, terms);
    }

    private static ObjectNode term(String jobType) {
        var term = JSON.objectNode().put("weight", WEIGHT);
        var affinity = term.putObject("podAffinityTerm");
        affinity.putObject("labelSelector")
                .putArray("matchExpressions")
                .addObject()
                .put("key", Keys.JOB_TYPE)
                .put("operator", "In")
                .putArray("values")
                .add(jobType);
        affinity.put("topologyKey", "kubernetes.io/hostname");
        return term;
    }

    private static boolean contains(JsonNode terms, ObjectNode wanted) {
        for (var term : terms) {
            if (term.path("podAffinityTerm").equals(wanted.path("podAffinityTerm"))) {
                return true;
            }
        }
        return false;
    }

    /** The decision, and on a template the job's type, so that its pods say what they are. */
    AdvicePatch annotations(Recommendation advice, String chosen, String jobType, long epochSeconds) {
        var place = subject.place();
        patch.add(place.annotation(Keys.SCORE), advice.scoreText());
        patch.add(place.annotation(Keys.CHOSEN_GPU), chosen);
        patch.add(place.annotation(Keys.DECIDED_AT), Long.toString(epochSeconds));
        if (subject.ownAnnotation(Keys.JOB_TYPE).isEmpty()) {
            patch.add(place.annotation(Keys.JOB_TYPE), jobType);
        }
        return this;
    }

    /** By which the anti-affinity of others finds this one. */
    AdvicePatch label(String jobType) {
        if (Labels.isValue(jobType) && !subject.metadata().path("labels").has(Keys.JOB_TYPE)) {
            patch.add(subject.place().label(Keys.JOB_TYPE), jobType);
        }
        return this;
    }

    /** A GPU that is requested without a limit has the pod refused; its limit can only be the request. */
    AdvicePatch limits() {
        for (var list : List.of("containers", "initContainers")) {
            var containers = subject.spec().path(list);
            for (int i = 0; i < containers.size(); i++) {
                limits(subject.place().spec(list).with(i).with("resources").with("limits"), containers.get(i));
            }
        }
        return this;
    }

    private void limits(JsonPointer place, JsonNode container) {
        var resources = container.path("resources");
        var missing = new LinkedHashMap<String, JsonNode>();
        for (var request : resources.path("requests").properties()) {
            if (GpuResources.isGpu(request.getKey())
                    && !resources.path("limits").has(request.getKey())) {
                missing.put(request.getKey(), request.getValue());
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        if (resources.path("limits").isEmpty()) {
            patch.add(place, JSON.objectNode().setAll(missing));
        } else {
            missing.forEach((name, amount) -> patch.add(place.with(name), amount));
        }
    }
}
