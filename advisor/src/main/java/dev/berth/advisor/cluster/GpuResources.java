package dev.berth.advisor.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which resources are GPUs: NVIDIA's, whole or sliced (MIG), AMD's and Intel's. */
public final class GpuResources {
    private GpuResources() {}

    public static boolean isGpu(String resource) {
        return resource.startsWith("nvidia.com/")
                || resource.equals("amd.com/gpu")
                || resource.startsWith("gpu.intel.com/");
    }

    /** Whether the pod asks for a GPU: by a resource, or by a claim. */
    public static boolean wantedBy(Pod pod) {
        var spec = pod.getSpec();
        if (spec == null) {
            return false;
        }
        return !present(spec.getResourceClaims()).isEmpty()
                || Stream.of(present(spec.getContainers()), present(spec.getInitContainers()))
                        .flatMap(List::stream)
                        .anyMatch(GpuResources::wantedBy);
    }

    private static boolean wantedBy(Container container) {
        var resources = container.getResources();
        return resources != null && (namesGpu(resources.getRequests()) || namesGpu(resources.getLimits()));
    }

    private static boolean namesGpu(@Nullable Map<String, ?> amounts) {
        return amounts != null && amounts.keySet().stream().anyMatch(GpuResources::isGpu);
    }

    private static <T> List<T> present(@Nullable List<T> list) {
        return Objects.requireNonNullElse(list, List.of());
    }
}
