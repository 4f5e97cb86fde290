package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.ContainerPort;
import java.util.Objects;
import java.util.Optional;

/** A port of the node itself that a pod takes, on one address or on all of them. */
public record HostPort(String protocol, String address, int port) {
    static final String CODE = "host-port";
    static final String TAKEN = "node(s) didn't have free ports for the requested pod ports";

    private static final String ANY = "0.0.0.0";

    static HostPort of(ContainerPort port) {
        var protocol = Objects.requireNonNullElse(port.getProtocol(), "TCP");
        var address = Objects.requireNonNullElse(port.getHostIP(), "");
        return new HostPort(protocol, address.isEmpty() ? ANY : address, port.getHostPort());
    }

    boolean clashesWith(HostPort other) {
        return port == other.port
                && protocol.equals(other.protocol)
                && (address.equals(other.address) || address.equals(ANY) || other.address.equals(ANY));
    }

    /** Are the node's ports that the pod wants free? */
    public static Optional<Unfit> check(PodNeeds pod, NodeRoom node) {
        if (pod.hostPorts().isEmpty()) {
            return Optional.empty();
        }
        for (var neighbour : node.pods().values()) {
            for (var theirs : neighbour.hostPorts()) {
                if (pod.hostPorts().stream().anyMatch(theirs::clashesWith)) {
                    return Optional.of(new Unfit(
                            CODE,
                            TAKEN,
                            "%s %d is taken by %s/%s"
                                    .formatted(theirs.protocol, theirs.port, neighbour.namespace(), neighbour.name())));
                }
            }
        }
        return Optional.empty();
    }
}
