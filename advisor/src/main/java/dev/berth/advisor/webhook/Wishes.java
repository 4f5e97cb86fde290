package dev.berth.advisor.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.wire.PythonNumber;
import dev.berth.kube.fit.NodeSelection;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What the user says about the job: how much memory it needs, which nodes it likes. */
final class Wishes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Wishes() {}

    /**
     * The nodes that the pod itself insists on; empty if it does not mind.
     *
     * @param anyGpu whether the type of GPU in its selector is about to be replaced, and so does not count
     */
    static Optional<NodeSelection> nodes(JsonNode spec, boolean anyGpu) {
        var labels = new HashMap<String, String>();
        spec.path("nodeSelector")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        if (anyGpu) {
            labels.keySet().removeAll(Keys.GPU_LABELS);
        }
        var affinity = spec.path("affinity");
        if (!affinity.path("nodeAffinity").has("requiredDuringSchedulingIgnoredDuringExecution")) {
            return labels.isEmpty() ? Optional.empty() : Optional.of(new NodeSelection(labels, Optional.empty()));
        }
        var pod = new PodSpec();
        pod.setNodeSelector(labels);
        pod.setAffinity(JSON.convertValue(affinity, Affinity.class));
        return Optional.of(NodeSelection.of(pod));
    }

    /** @param problems gets a sentence for people if the annotation cannot be used */
    static OptionalDouble memory(Subject subject, List<String> problems) {
        var text = subject.annotation(Keys.MEMORY);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        var gib = PythonNumber.read(text.get());
        if (gib.isPresent() && Double.isFinite(gib.getAsDouble())) {
            return gib;
        }
        problems.add(unusable(Keys.MEMORY, text.get(), "a number of GiB"));
        return OptionalDouble.empty();
    }

    /** @param problems gets a sentence for people if the annotation cannot be used */
    static OptionalLong batchSize(Subject subject, List<String> problems) {
        var text = subject.annotation(Keys.BATCH_SIZE);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text.get().strip()));
        } catch (NumberFormatException noNumber) {
            problems.add(unusable(Keys.BATCH_SIZE, text.get(), "a whole number"));
            return OptionalLong.empty();
        }
    }

    private static String unusable(String key, String text, String wanted) {
        return "annotation %s is '%s', not %s: it is not used".formatted(key, text, wanted);
    }
}
