package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where a Service is found without a service network: at its ClusterIP when that is a loopback address, else at its
 * target port on this machine.
 */
record ServiceAddresses(Lookup lookup) {
    private static final Resource SERVICES = new Resource("", "v1", "services");

    InetSocketAddress resolve(String namespace, String name, int port) throws IOException {
        ObjectNode service = lookup.find(SERVICES, namespace, name)
                .orElseThrow(() -> new IOException("service \"%s\" not found".formatted(name)));
        String address = service.path("spec").path("clusterIP").asText();
        if (address.startsWith("127.")) return new InetSocketAddress(InetAddress.ofLiteral(address), port);
        for (JsonNode each : service.path("spec").path("ports")) {
            if (each.path("port").asInt() == port) {
                int target = each.path("targetPort").asInt(port);
                return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), target);
            }
        }
        throw new IOException("no service port %d found for service \"%s\"".formatted(port, name));
    }
}
