package dev.berth.e2e.chart;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/** What the API server is told about a pod. */
record PodReport(String phase, boolean ready, int restarts, String address) {
    private static final Set<String> FINAL = Set.of("Succeeded", "Failed");

    /** A pod is ready when all its containers are, and has ended when all of them have. */
    static PodReport of(List<PodProcess> containers) {
        var first = containers.getFirst();
        boolean stays = first.pod().getSpec().getRestartPolicy().equals("Always");
        var codes = containers.stream().map(PodProcess::exitCode).toList();
        boolean runs = stays || codes.stream().anyMatch(OptionalInt::isEmpty);
        boolean well = codes.stream().allMatch(code -> code.isPresent() && code.getAsInt() == 0);
        return new PodReport(
                runs ? "Running" : well ? "Succeeded" : "Failed",
                containers.stream().allMatch(PodProcess::ready),
                containers.stream().mapToInt(PodProcess::restarts).sum(),
                first.address());
    }

    static boolean ended(Pod pod) {
        return pod.getStatus() != null && FINAL.contains(pod.getStatus().getPhase());
    }

    void writeTo(KubernetesClient client, Pod pod) {
        if (said(pod)) return;
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        client.resource(pod).editStatus(current -> {
            current.setStatus(new PodStatusBuilder(current.getStatus())
                    .withPhase(phase)
                    .withStartTime(
                            Objects.requireNonNullElse(current.getStatus().getStartTime(), now))
                    .withPodIP(address)
                    .withPodIPs(List.of(new PodIP(address)))
                    .withConditions(condition("ContainersReady", now), condition("Ready", now))
                    .build());
            return current;
        });
    }

    private boolean said(Pod pod) {
        var status = pod.getStatus();
        if (status == null || !phase.equals(status.getPhase())) return false;
        return Objects.requireNonNullElse(status.getConditions(), List.<PodCondition>of()).stream()
                .anyMatch(each ->
                        each.getType().equals("Ready") && each.getStatus().equals(word()));
    }

    private String word() {
        return ready ? "True" : "False";
    }

    private PodCondition condition(String type, String now) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(word())
                .withLastTransitionTime(now)
                .build();
    }
}
