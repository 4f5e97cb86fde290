package dev.berth.kube.pod;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a look at the API server itself says about a pod. Only {@link Gone} allows anybody to take its devices. */
public sealed interface Sighting {
    /** It is there and not finished. */
    record Present(Pod pod) implements Sighting {}

    /** It is deleted, replaced by another of its name, or finished. */
    record Gone() implements Sighting {}

    /** Nobody could tell. */
    record Unknown() implements Sighting {}

    /** Looks past every cache. */
    static Sighting of(Cluster cluster, String namespace, String name, String uid, Duration within) {
        try {
            var path = PodPath.of(namespace, name);
            var found = cluster.retry()
                    .call(Repeat.IF_UNKNOWN, within, () -> cluster.courier().get(path, Pod.class));
            return found.filter(pod -> uid.equals(pod.getMetadata().getUid()) && !finished(pod))
                    .<Sighting>map(Present::new)
                    .orElseGet(Gone::new);
        } catch (KubernetesClientException problem) {
            Logger log = LoggerFactory.getLogger(Sighting.class);
            log.warn("pod could not be looked at: pod={}/{} reason={}", namespace, name, Failure.words(problem));
            return new Unknown();
        }
    }

    /** Whether the pod has ended, so that its devices are free. */
    static boolean finished(Pod pod) {
        return pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
