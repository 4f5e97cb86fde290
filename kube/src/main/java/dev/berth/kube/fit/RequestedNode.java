package dev.berth.kube.fit;

import java.util.Optional;

/** Is this the node that the pod names, if it names one? */
public final class RequestedNode {
    static final String CODE = "node-name";
    static final String OTHER = "node(s) didn't match the requested node name";

    private RequestedNode() {}

    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        return pod.nodeName()
                .filter(wanted -> !wanted.equals(node.name().value()))
                .map(wanted -> new Unfit(CODE, OTHER, "wants " + wanted));
    }
}
