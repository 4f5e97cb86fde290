package dev.berth.advisor.observer;

import dev.berth.advisor.cluster.GpuResources;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.cluster.RunningJobs;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod of a known kind of job on a GPU, from the start of its containers on.
 *
 * @param chosen the type of GPU that the advice named; empty for a pod without advice
 * @param devices the GPUs it has, where an annotation tells
 * @param end empty while it runs
 * @param succeeded whether it ended well: a run that failed says nothing about how long it takes
 */
record Run(
        String uid,
        String name,
        String node,
        String jobType,
        Optional<String> chosen,
        Set<String> devices,
        Instant start,
        Optional<Instant> end,
        boolean succeeded) {
    /** Annotations that say which devices a pod has: the assigner's, and for each container the extender's. */
    private static final String ASSIGNED = "fudo.org/gpu.uuid";

    private static final String PREDICATED = "tencent.com/predicate-gpu-idx-";

    Run {
        devices = Set.copyOf(devices);
    }

    /** Empty for pods that have not begun, do not say what they are, or use no GPU. */
    static Optional<Run> of(Pod pod) {
        var type = RunningJobs.typeOf(pod);
        var node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        var states = states(pod);
        var start = states.stream().flatMap(state -> started(state).stream()).min(Instant::compareTo);
        if (type.isEmpty() || node == null || start.isEmpty() || !GpuResources.wantedBy(pod)) {
            return Optional.empty();
        }
        var phase = pod.getStatus().getPhase();
        boolean ended = "Succeeded".equals(phase) || "Failed".equals(phase);
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        return Optional.of(new Run(
                pod.getMetadata().getUid(),
                pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
                node,
                type.get(),
                Optional.ofNullable(annotations.get(Keys.CHOSEN_GPU)),
                devices(annotations),
                start.get(),
                ended
                        ? states.stream()
                                .flatMap(state -> finished(state).stream())
                                .max(Instant::compareTo)
                        : Optional.empty(),
                "Succeeded".equals(phase)));
    }

    private static List<ContainerState> states(Pod pod) {
        var states = new ArrayList<ContainerState>();
        if (pod.getStatus() != null && pod.getStatus().getContainerStatuses() != null) {
            for (ContainerStatus status : pod.getStatus().getContainerStatuses()) {
                if (status.getState() != null) {
                    states.add(status.getState());
                }
            }
        }
        return states;
    }

    private static Optional<Instant> started(ContainerState state) {
        if (state.getTerminated() != null) {
            return instant(state.getTerminated().getStartedAt());
        }
        return state.getRunning() == null
                ? Optional.empty()
                : instant(state.getRunning().getStartedAt());
    }

    private static Optional<Instant> finished(ContainerState state) {
        return state.getTerminated() == null
                ? Optional.empty()
                : instant(state.getTerminated().getFinishedAt());
    }

    private static Optional<Instant> instant(@Nullable String text) {
        try {
            return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }

    private static Set<String> devices(Map<String, String> annotations) {
        var devices = new HashSet<String>();
        annotations.forEach((key, value) -> {
            if (key.equals(ASSIGNED) || key.startsWith(PREDICATED)) {
                for (var device : value.split(",")) {
                    devices.add(device.strip());
                }
            }
        });
        return devices;
    }

    /** Whether the two ran at the same time on one node and, where both devices are known, on one GPU. */
    boolean beside(Run other) {
        return !uid.equals(other.uid)
                && node.equals(other.node)
                && other.end.map(start::isBefore).orElse(true)
                && end.map(other.start::isBefore).orElse(true)
                && (devices.isEmpty() || other.devices.isEmpty() || !Collections.disjoint(devices, other.devices));
    }
}
