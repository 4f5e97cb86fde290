package dev.berth.extender.place;

import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.Cluster;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.pod.PodPath;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The annotations of decisions on pods: written on the version that was decided about, and on no other. */
public final class PodNotes {
    private final Cluster cluster;

    public PodNotes(Cluster cluster) {
        this.cluster = cluster;
    }

    /** How a write ended. */
    public sealed interface Written {
        record Done() implements Written {}

        /** The pod is not what it was. */
        record Changed() implements Written {}

        /** It is not there any more. */
        record Gone() implements Written {}

        /** The API server does not let us. */
        record Refused(String reason) implements Written {}
    }

    /** @throws KubernetesClientException if the API server did not answer within the time */
    public Written write(GpuPod pod, Map<String, Optional<String>> annotations, Duration within) {
        var values = new HashMap<String, @Nullable String>();
        annotations.forEach((key, value) -> values.put(key, value.orElse(null)));
        var metadata = new HashMap<String, Object>();
        metadata.put("annotations", values);
        if (!pod.uid().isEmpty()) {
            metadata.put("uid", pod.uid());
        }
        if (!pod.version().isEmpty()) {
            metadata.put("resourceVersion", pod.version());
        }
        var patch = Map.of("metadata", metadata);
        return cluster.retry().call(Repeat.IF_UNKNOWN, within, () -> {
            try {
                cluster.courier().patch(path(pod), Courier.STRATEGIC_MERGE_PATCH, patch);
                return new Written.Done();
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    case CONFLICT -> new Written.Changed();
                    case ABSENT -> new Written.Gone();
                    case REFUSED -> new Written.Refused(Failure.words(problem));
                    case TURNED_AWAY, UNREACHABLE, UNKNOWN -> throw problem;
                };
            }
        });
    }

    /** The pod as the API server has it now; empty if it is gone, or another has its name. */
    public Optional<GpuPod> read(GpuPod pod, Duration within) {
        return cluster.retry()
                .call(Repeat.IF_UNKNOWN, within, () -> cluster.courier().get(path(pod), Pod.class))
                .map(PodReader::read)
                .filter(found -> pod.uid().isEmpty() || found.uid().equals(pod.uid()));
    }

    private static String path(GpuPod pod) {
        return PodPath.of(pod.namespace(), pod.name());
    }

    /** Takes the marks of a decision away from a pod that is not bound; false if it changed meanwhile. */
    public boolean clear(GpuPod pod, Duration within) {
        var nothing = new HashMap<String, Optional<String>>();
        pod.annotations().keySet().forEach(key -> nothing.put(key, Optional.empty()));
        return nothing.isEmpty() || write(pod, nothing, within) instanceof Written.Done;
    }
}
