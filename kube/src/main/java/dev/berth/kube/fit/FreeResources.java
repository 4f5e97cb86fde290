package dev.berth.kube.fit;

import java.util.ArrayList;
import java.util.List;

/** Does the node have room for what the pod asks for, and for one pod more? */
public final class FreeResources {
    static final String CODE = "resources";
    static final String TOO_MANY_PODS = "Too many pods";
    static final String INSUFFICIENT = "Insufficient ";

    private FreeResources() {}

    /** Every resource that is short; none if the pod fits. */
    public static List<Unfit> shortages(PodNeeds pod, NodeRoom node) {
        var shortages = new ArrayList<Unfit>();
        long places = node.allocatable().of(Resources.PODS);
        if (node.pods().size() + 1 > places) {
            shortages.add(new Unfit(
                    CODE, TOO_MANY_PODS, "%d of %d".formatted(node.pods().size(), places)));
        }
        pod.requests().amounts().forEach((resource, wanted) -> {
            long all = node.allocatable().of(resource);
            long free = all - node.taken().of(resource);
            if (wanted > 0 && wanted > free && !resource.equals(Resources.PODS)) {
                shortages.add(shortage(resource, wanted, free, all));
            }
        });
        return shortages;
    }

    private static Unfit shortage(String resource, long wanted, long free, long all) {
        return new Unfit(
                CODE,
                INSUFFICIENT + resource,
                "wants %s, %s of %s free"
                        .formatted(
                                Resources.words(resource, wanted),
                                Resources.words(resource, Math.max(0, free)),
                                Resources.words(resource, all)));
    }
}
