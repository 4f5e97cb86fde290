package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Taint;
import java.util.Optional;

/**
 * Is the node Ready? kube-scheduler leaves this to the taints that the node controller sets for it; where no such
 * controller runs, or is late, the condition itself counts. A pod that tolerates the taint is let through either way.
 */
public final class Readiness {
    static final String CODE = "not-ready";
    static final String NOT_READY = "node(s) were not ready";

    private Readiness() {}

    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        var status = node.ready().orElse("Unknown");
        if (status.equals("True")) {
            return Optional.empty();
        }
        var name = status.equals("False") ? "not-ready" : "unreachable";
        var taint = new Taint("NoSchedule", "node.kubernetes.io/" + name, null, null);
        if (Taints.tolerated(pod.tolerations(), taint)) {
            return Optional.empty();
        }
        return Optional.of(
                new Unfit(CODE, NOT_READY, node.ready().isEmpty() ? "no Ready condition" : "Ready is " + status));
    }
}
