package dev.berth.extender.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.share.Slice;
import dev.berth.extender.wire.GpuPod.GpuContainer;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads pods from a request's JSON and from the cache. */
public final class PodReader {
    private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

    private PodReader() {}

    /** @throws MalformedRequestException for a pod that makes no sense, with what is wrong and where */
    public static GpuPod read(JsonNode pod) {
        if (!pod.isObject()) {
            throw new MalformedRequestException("the Pod is not an object");
        }
        var metadata = pod.path("metadata");
        var spec = pod.path("spec");
        var annotations = new HashMap<String, String>();
        metadata.path("annotations").properties().forEach(each -> {
            if (Keys.ours(each.getKey())) {
                annotations.put(each.getKey(), each.getValue().asText());
            }
        });
        return new GpuPod(
                metadata.path("namespace").asText("default"),
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                spec.path("nodeName").asText(),
                annotations,
                containers(spec.path("containers")),
                containers(spec.path("initContainers")),
                FINISHED.contains(pod.path("status").path("phase").asText()));
    }

    private static List<GpuContainer> containers(JsonNode list) {
        var containers = new ArrayList<GpuContainer>();
        for (var container : list) {
            var name = container.path("name").asText("?");
            var limits = container.path("resources").path("limits");
            containers.add(container(
                    name,
                    limits.path(Keys.CORES).asText("0"),
                    limits.path(Keys.MEMORY).asText("0"),
                    container.path("restartPolicy").asText()));
        }
        return containers;
    }

    private static GpuContainer container(String name, String cores, String memory, String restartPolicy) {
        return new GpuContainer(
                name,
                new Slice(amount(name, Keys.CORES, cores), amount(name, Keys.MEMORY, memory)),
                restartPolicy.equals("Always"));
    }

    private static long amount(String container, String resource, String text) {
        try {
            long amount = Amount.of(text);
            if (amount >= 0) {
                return amount;
            }
            throw new MalformedRequestException(
                    "container %s: the limit of %s is negative: %s".formatted(container, resource, text));
        } catch (IllegalArgumentException malformed) {
            throw new MalformedRequestException(
                    "container %s: the limit of %s is %s".formatted(container, resource, malformed.getMessage()));
        }
    }

    /** A pod that the API server holds, and has checked. */
    public static GpuPod read(Pod pod) {
        var metadata = pod.getMetadata();
        var annotations = new HashMap<String, String>();
        present(metadata.getAnnotations()).forEach((key, value) -> {
            if (Keys.ours(key)) {
                annotations.put(key, value);
            }
        });
        return new GpuPod(
                metadata.getNamespace(),
                metadata.getName(),
                Objects.requireNonNullElse(metadata.getUid(), ""),
                Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""),
                annotations,
                containers(pod.getSpec().getContainers()),
                containers(pod.getSpec().getInitContainers()),
                Sighting.finished(pod));
    }

    private static List<GpuContainer> containers(@Nullable List<Container> list) {
        if (list == null) {
            return List.of();
        }
        return list.stream()
                .map(container -> {
                    var resources = container.getResources();
                    Map<String, Quantity> limits = resources == null ? Map.of() : present(resources.getLimits());
                    return container(
                            container.getName(),
                            text(limits.get(Keys.CORES)),
                            text(limits.get(Keys.MEMORY)),
                            Objects.requireNonNullElse(container.getRestartPolicy(), ""));
                })
                .toList();
    }

    private static String text(@Nullable Quantity quantity) {
        return quantity == null ? "0" : quantity.toString();
    }

    private static <V> Map<String, V> present(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }
}
