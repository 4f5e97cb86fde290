package dev.berth.advisor.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.advisor.ask.NoAdviceException.Cause;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.cluster.Labels;
import dev.berth.advisor.model.Advice;
import dev.berth.advisor.wire.PythonNumber;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the agent says about a job.
 *
 * @param score from 0 to 100
 * @param scoreText the score as the agent wrote it
 * @param selector the node labels that the job should ask for
 * @param tolerations of the taints that such nodes may have; empty if the agent says nothing of nodes
 * @param avoid the types of jobs that it should not run beside, each once
 * @param chosen the type of GPU, or {@code unknown}
 */
public record Recommendation(
        double score,
        String scoreText,
        Map<String, String> selector,
        List<ObjectNode> tolerations,
        List<String> avoid,
        String chosen) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final String SCORE_UNSAID = "50";
    /** Far more than makes sense, and little enough for the API server to take the pod with all of it. */
    private static final int MOST_ENTRIES = 1000;

    private static final int LONGEST_NAME = 256;

    public Recommendation {
        tolerations = List.copyOf(tolerations);
        avoid = List.copyOf(avoid);
    }

    /** The one that GPU nodes usually need, also where the agent does not think of it. */
    private static ObjectNode usualToleration() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("key", "nvidia.com/gpu")
                .put("operator", "Exists")
                .put("effect", "NoSchedule");
    }

    public static Recommendation of(Advice advice) {
        return new Recommendation(
                advice.priority(),
                PythonNumber.text(advice.priority()),
                Map.of(Keys.GPU_CLASS, advice.chosen()),
                List.of(usualToleration()),
                labels(advice.avoid()),
                advice.chosen());
    }

    /** Reads the agent's reply; what would have the API server refuse the pod is no advice. */
    static Recommendation read(byte[] reply) throws NoAdviceException {
        if (!(tree(reply) instanceof ObjectNode object) || object.isEmpty()) {
            throw invalid("the answer is not a JSON object with content");
        }
        var score = object.path("priority_score");
        if (!score.isMissingNode() && !(score.isNumber() && Double.isFinite(score.doubleValue()))) {
            throw invalid("priority_score is not a number");
        }
        var gpu = member(object, "gpu_selector");
        var selector = selector(gpu);
        return new Recommendation(
                score.isMissingNode() ? Double.parseDouble(SCORE_UNSAID) : score.doubleValue(),
                text(score),
                selector,
                gpu.isEmpty() ? List.of() : tolerations(gpu),
                avoid(object.path("avoid_co_locate_with")),
                chosen(member(object, "terms"), selector));
    }

    private static JsonNode tree(byte[] reply) throws NoAdviceException {
        try {
            return JSON.readTree(reply);
        } catch (IOException malformed) {
            throw invalid("the answer is not JSON");
        }
    }

    private static String text(JsonNode score) {
        if (score.isMissingNode()) {
            return SCORE_UNSAID;
        }
        return score.isIntegralNumber() ? score.asText() : PythonNumber.text(score.doubleValue());
    }

    private static ObjectNode member(ObjectNode object, String name) throws NoAdviceException {
        return switch (object.path(name)) {
            case ObjectNode member -> member;
            case JsonNode missing when missing.isMissingNode() -> JsonNodeFactory.instance.objectNode();
            default -> throw invalid(name + " is not an object");
        };
    }

    private static Map<String, String> selector(ObjectNode gpu) throws NoAdviceException {
        var selector = new LinkedHashMap<String, String>();
        var labels = member(gpu, "nodeSelector");
        checkSize(labels, "gpu_selector.nodeSelector");
        for (var entry : labels.properties()) {
            var value = entry.getValue();
            if (!Labels.isKey(entry.getKey()) || !value.isTextual() || !Labels.isValue(value.textValue())) {
                throw invalid("gpu_selector.nodeSelector holds what is no label: " + entry.getKey());
            }
            selector.put(entry.getKey(), value.textValue());
        }
        return selector;
    }

    private static List<ObjectNode> tolerations(ObjectNode gpu) throws NoAdviceException {
        var list = gpu.path("tolerations");
        if (list.isMissingNode() || list.isNull() || (list.isArray() && list.isEmpty())) {
            return List.of(usualToleration());
        }
        if (!(list instanceof ArrayNode array)) {
            throw invalid("gpu_selector.tolerations is not a list");
        }
        checkSize(array, "gpu_selector.tolerations");
        var tolerations = new ArrayList<ObjectNode>();
        for (var each : array) {
            tolerations.add(toleration(each));
        }
        return tolerations;
    }

    private static ObjectNode toleration(JsonNode written) throws NoAdviceException {
        var key = written.path("key").asText("");
        var operator = written.path("operator").asText("Equal");
        var value = written.path("value").asText("");
        var effect = written.path("effect").asText("");
        boolean exists = operator.equals("Exists");
        boolean good = (exists || operator.equals("Equal"))
                && (key.isEmpty() ? exists : Labels.isKey(key))
                && (exists ? value.isEmpty() : Labels.isValue(value))
                && (effect.isEmpty() || EFFECTS.contains(effect));
        if (!good) {
            throw invalid("gpu_selector.tolerations holds what is no toleration");
        }
        var toleration = JsonNodeFactory.instance.objectNode();
        for (var field : List.of("key", "operator", "value", "effect")) {
            if (written.path(field).isTextual()) {
                toleration.set(field, written.get(field));
            }
        }
        return toleration;
    }

    private static List<String> avoid(JsonNode list) throws NoAdviceException {
        if (list.isMissingNode() || list.isNull()) {
            return List.of();
        }
        var words = new ArrayList<String>();
        if (!list.isArray()) {
            throw invalid("avoid_co_locate_with is not a list");
        }
        checkSize(list, "avoid_co_locate_with");
        for (var each : list) {
            if (!each.isTextual()) {
                throw invalid("avoid_co_locate_with is not a list of strings");
            }
            words.add(each.textValue());
        }
        return labels(words);
    }

    /** Only those that a label can hold: no pod carries another, and a selector with one would be refused. */
    private static List<String> labels(List<String> words) {
        return words.stream().filter(Labels::isValue).distinct().toList();
    }

    /** The published agent names its choice in the selector only. */
    private static String chosen(ObjectNode terms, Map<String, String> selector) throws NoAdviceException {
        var told = terms.path("chosen_gpu");
        if (told.asText().length() > LONGEST_NAME) {
            throw invalid("terms.chosen_gpu is no name");
        }
        return told.isTextual() && !told.textValue().isEmpty()
                ? told.textValue()
                : selector.getOrDefault(Keys.GPU_CLASS, Keys.UNKNOWN);
    }

    private static void checkSize(JsonNode container, String name) throws NoAdviceException {
        if (container.size() > MOST_ENTRIES) {
            throw invalid("%s has more than %d entries".formatted(name, MOST_ENTRIES));
        }
    }

    private static NoAdviceException invalid(String problem) {
        return new NoAdviceException(Cause.INVALID, problem);
    }
}
