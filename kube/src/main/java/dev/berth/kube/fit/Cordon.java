package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Taint;
import java.util.Optional;

/** Is the node open for new pods, or does the pod tolerate that it is cordoned? */
public final class Cordon {
    static final String CODE = "cordoned";
    static final String UNSCHEDULABLE = "node(s) were unschedulable";

    private static final Taint TAINT = new Taint("NoSchedule", "node.kubernetes.io/unschedulable", null, null);

    private Cordon() {}

    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        if (!node.unschedulable() || Taints.tolerated(pod.tolerations(), TAINT)) {
            return Optional.empty();
        }
        return Optional.of(new Unfit(CODE, UNSCHEDULABLE, "cordoned"));
    }
}
