package dev.berth.e2e.chart;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.cli.OwnCluster;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code up} publishes in a cluster of its own, to be published in another one: nodes, pools and classes. */
final class FleetOfUp {
    private static final String DEVICES = "devmgmtproto.k8s.io";
    private static final Map<Api.Resource, String> KINDS = Map.of(
            new Api.Resource("", "v1", "nodes"),
            "/api/v1/nodes",
            new Api.Resource(DEVICES, "v1alpha1", "devicepools"),
            "/apis/devmgmtproto.k8s.io/v1alpha1/devicepools",
            new Api.Resource(DEVICES, "v1alpha1", "deviceclasses"),
            "/apis/devmgmtproto.k8s.io/v1alpha1/deviceclasses");

    /** @param path where such objects are created */
    record Published(String path, String name, String json) {}

    private FleetOfUp() {}

    static List<Published> objects() {
        var settings = new OwnCluster.Settings(0, Optional.empty(), 4, 8, true);
        try (var own = OwnCluster.start(settings, InstantSource.system())) {
            return KINDS.entrySet().stream()
                    .flatMap(kind -> own.api().list(kind.getKey(), "", Map.of()).stream()
                            .map(object -> published(kind.getValue(), object)))
                    .toList();
        }
    }

    /** Without what the other API server says of it. */
    private static Published published(String path, ObjectNode object) {
        object.withObjectProperty("metadata").retain("name", "labels", "annotations");
        return new Published(path, object.at("/metadata/name").asText(), object.toString());
    }
}
