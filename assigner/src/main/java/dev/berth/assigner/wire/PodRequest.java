package dev.berth.assigner.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.Quantity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a pod that is being admitted asks for.
 *
 * @param name the pod's name, or the beginning of the name it will get
 * @param labels what each of its GPUs must be labelled with
 * @param optedIn it carries a GPU label, be it only the one that takes any GPU
 * @param requestsGpu a container of it requests GPUs
 * @param count how many it requests, the way Kubernetes counts them
 */
public record PodRequest(
        String namespace, String name, SortedSet<String> labels, boolean optedIn, boolean requestsGpu, int count) {

    /** @param namespace the request's, for a pod that does not say its own */
    public static PodRequest of(ObjectNode pod, String namespace) {
        var metadata = pod.path("metadata");
        var labels = new TreeSet<String>();
        metadata.path("labels").properties().forEach(label -> {
            if (Keys.isGpuLabel(label.getKey()) && !label.getValue().isNull()) {
                labels.add(label.getKey());
            }
        });
        boolean optedIn = !labels.isEmpty();
        labels.remove(Keys.ASSIGN);
        return new PodRequest(
                text(metadata, "namespace").orElse(namespace),
                text(metadata, "name").or(() -> text(metadata, "generateName")).orElse(""),
                labels,
                optedIn,
                requestsGpu(pod.path("spec")),
                effectiveCount(pod.path("spec")));
    }

    /** Whether this pod is the assigner's business at all. */
    public boolean concernsGpus() {
        return optedIn || requestsGpu;
    }

    /** How many GPUs it gets: a pod that only names labels gets one. */
    public int devices() {
        return Math.max(1, count);
    }

    /** How messages call the pod. */
    public String pod() {
        return namespace + "/" + name;
    }

    private static boolean requestsGpu(JsonNode spec) {
        for (var list : Set.of("containers", "initContainers")) {
            for (var container : spec.path(list)) {
                var asked = asked(container);
                if (!asked.isEmpty() && !asked.equals("0")) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Main containers run together; init containers run one after the other before them, each beside the sidecars that
     * were started before it.
     */
    private static int effectiveCount(JsonNode spec) {
        long together = 0;
        long most = 0;
        for (var container : spec.path("initContainers")) {
            long wanted = count(container);
            if (container.path("restartPolicy").asText().equals("Always")) {
                together += wanted;
                most = Math.max(most, together);
            } else {
                most = Math.max(most, together + wanted);
            }
        }
        for (var container : spec.path("containers")) {
            together += count(container);
        }
        return Math.clamp(Math.max(most, together), 0, Integer.MAX_VALUE);
    }

    private static long count(JsonNode container) {
        try {
            var wanted = Quantity.parse(asked(container)).value();
            return wanted.min(BigDecimal.valueOf(Integer.MAX_VALUE))
                    .max(BigDecimal.ZERO)
                    .longValue();
        } catch (IllegalArgumentException notANumber) {
            // The API server refuses such a pod itself, in its own words.
            return 0;
        }
    }

    /** Kubernetes takes the limit of an extended resource for its request where only the limit is given. */
    private static String asked(JsonNode container) {
        var resources = container.path("resources");
        var request = resources.path("requests").path(Keys.GPU).asText("");
        return request.isEmpty() ? resources.path("limits").path(Keys.GPU).asText("") : request;
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field).asText("")).filter(value -> !value.isEmpty());
    }
}
