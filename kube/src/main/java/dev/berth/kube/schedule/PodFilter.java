package dev.berth.kube.schedule;

import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Optional;

/** Which pods want a node, and when one has changed so that another look is worth it. */
public final class PodFilter {
    private PodFilter() {}

    /** Pending, without a node, and with nothing that holds it back. */
    public static boolean wantsANode(Pod pod) {
        var spec = pod.getSpec();
        var gates = spec.getSchedulingGates();
        return Objects.requireNonNullElse(spec.getNodeName(), "").isEmpty()
                && pod.getMetadata().getDeletionTimestamp() == null
                && (gates == null || gates.isEmpty())
                && !Sighting.finished(pod);
    }

    public static boolean isOf(Pod pod, String schedulerName) {
        return schedulerName.equals(pod.getSpec().getSchedulerName());
    }

    /** Not so for a change of its status, which is mostly our own. */
    public static boolean changed(Pod before, Pod after) {
        return !Objects.equals(before.getSpec(), after.getSpec())
                || !Objects.equals(
                        before.getMetadata().getLabels(), after.getMetadata().getLabels())
                || !Objects.equals(
                        before.getMetadata().getAnnotations(),
                        after.getMetadata().getAnnotations());
    }

    public static PodQueue.Ticket ticket(Pod pod) {
        var metadata = pod.getMetadata();
        return new PodQueue.Ticket(
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                Optional.ofNullable(pod.getSpec().getPriority()).orElse(0),
                Objects.requireNonNullElse(metadata.getCreationTimestamp(), ""));
    }
}
