package dev.berth.cli.certificate;

import java.util.List;

/** A Service, and the host names by which a cluster's clients call it. */
record ServiceName(String namespace, String name) {
    List<String> hosts() {
        var inNamespace = name + "." + namespace;
        // The API server calls webhooks by the first one.
        return List.of(inNamespace + ".svc", inNamespace + ".svc.cluster.local", inNamespace, name);
    }
}
