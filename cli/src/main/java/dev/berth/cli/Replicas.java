package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The pods of manifests: those that stand there, and those that a controller would make of a workload. */
public final class Replicas {
    private static final int MOST_REPLICAS = 10_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Replicas() {}

    /** The manifests of these files; {@code -} is stdin. */
    public static List<Manifest> read(List<Path> names) {
        try {
            return ManifestFiles.read(names);
        } catch (ManifestException wrong) {
            throw new Complaint.BadInput(String.valueOf(wrong.getMessage()));
        }
    }

    /** The pods that a controller would make; a workload without ordinals has one that stands for all. */
    public static List<Pod> of(Manifest manifest) {
        var body = manifest.body();
        if (manifest.kind().equals("Pod")) {
            return List.of(asStored(convert(body, Pod.class)));
        }
        if (!(body.at("/spec/template") instanceof ObjectNode template)) {
            return List.of();
        }
        var name = body.at("/metadata/name").asText("replica");
        var namespace = body.at("/metadata/namespace").asText("default");
        if (!manifest.kind().equals("StatefulSet")) {
            return List.of(replica(template, namespace, name));
        }
        int count = body.at("/spec/replicas").asInt(1);
        if (count > MOST_REPLICAS) {
            throw new Complaint.BadInput("%s has %d replicas, more than %d".formatted(name, count, MOST_REPLICAS));
        }
        long first = body.at("/spec/ordinals/start").asLong(0);
        var pods = new ArrayList<Pod>();
        for (long ordinal = first; ordinal < first + count; ordinal++) {
            pods.add(replica(template, namespace, name + "-" + ordinal));
        }
        return pods;
    }

    private static Pod replica(ObjectNode template, String namespace, String name) {
        var pod = template.deepCopy();
        pod.withObject("/metadata").put("name", name).put("namespace", namespace);
        return asStored(convert(pod.put("apiVersion", "v1").put("kind", "Pod"), Pod.class));
    }

    /** The API server takes a limit for the request where only the limit is given. */
    private static Pod asStored(Pod pod) {
        if (pod.getMetadata() == null || pod.getSpec() == null) {
            throw new Complaint.BadInput("a Pod has metadata and a spec");
        }
        Stream.of(pod.getSpec().getContainers(), pod.getSpec().getInitContainers())
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .map(Container::getResources)
                .filter(resources -> resources != null && resources.getLimits() != null)
                .forEach(resources -> {
                    Map<String, Quantity> requests = new HashMap<>(resources.getLimits());
                    requests.putAll(Objects.requireNonNullElse(resources.getRequests(), Map.of()));
                    resources.setRequests(requests);
                });
        return pod;
    }

    static <T> T convert(ObjectNode object, Class<T> kind) {
        try {
            return JSON.treeToValue(object, kind);
        } catch (JsonProcessingException wrong) {
            throw new Complaint.BadInput("%s %s: %s"
                    .formatted(
                            object.path("kind").asText(),
                            object.at("/metadata/name").asText(),
                            wrong.getOriginalMessage()));
        }
    }
}
