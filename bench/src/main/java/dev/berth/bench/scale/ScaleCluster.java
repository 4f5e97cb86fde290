package dev.berth.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.Connection;
import dev.berth.bench.Target;
import dev.berth.bench.door.Crowd;
import dev.berth.bench.door.SliceNodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A cluster that grows: nodes with their slices, and pods that run on them. It is written through the API alone. */
public final class ScaleCluster {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NODES = "/api/v1/nodes";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final String PODS = "/api/v1/namespaces/race/pods";
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/race/resourceclaims";

    private final Target server;
    private int nodes;

    public ScaleCluster(Target server) {
        this.server = server;
    }

    /** What there is once, before anything grows. */
    public void begin() throws IOException {
        try (var connection = new Connection(server)) {
            for (var namespace : List.of("race", "gpu-claims", "pinned", "claimed")) {
                post(connection, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
            }
            post(connection, "/apis/resource.k8s.io/v1/deviceclasses", """
                    {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},\
                    "spec":{"selectors":[{"cel":{"expression":"device.driver == 'gpu.example.com'"}}]}}""");
        }
    }

    public int pods() {
        return nodes * ScalePods.ON_A_NODE;
    }

    /** Until there are so many nodes, each with its pods. */
    public void grow(int target) throws IOException, InterruptedException {
        int first = nodes;
        each(target - first, (connection, number) -> node(connection, first + number));
        int pods = first * ScalePods.ON_A_NODE;
        each((target - first) * ScalePods.ON_A_NODE, (connection, number) -> pod(connection, pods + number));
        nodes = target;
    }

    /** From this node on, nobody but the pinner and the extender knows of GPUs. */
    public void leaveToPins(int first) throws IOException {
        try (var connection = new Connection(server)) {
            for (int number = first; number < nodes; number++) {
                put(connection, NODES + "/" + SliceNodes.name(number), ScaleNodes.unlabelled(number));
                var slice = SLICES + "/" + ScaleNodes.sliceName(number);
                connection.answer(connection.request("DELETE", slice, new byte[0]));
            }
        }
    }

    private static void node(Connection connection, int number) throws IOException {
        var node = ScaleNodes.json(number);
        var path = NODES + "/" + SliceNodes.name(number);
        post(connection, NODES, node);
        // A real server puts a taint on every new node, and takes no status with it; written once more both are right.
        put(connection, path, node);
        put(connection, path + "/status", node);
        post(connection, SLICES, ScaleNodes.slice(number));
    }

    private static void pod(Connection connection, int number) throws IOException {
        var stored = JSON.readTree(post(connection, PODS, ScalePods.json(number).toString()));
        put(
                connection,
                PODS + "/" + ScalePods.name(number) + "/status",
                ScalePods.running(stored).toString());
        if (ScalePods.claims(number)) {
            var claim = (ObjectNode) JSON.readTree(
                    post(connection, CLAIMS, ScalePods.claim(number).toString()));
            JsonNode uid = stored.at("/metadata/uid");
            claim.set("status", ScalePods.allocation(number, uid.asText()));
            put(connection, CLAIMS + "/" + ScalePods.name(number) + "/status", claim.toString());
        }
    }

    @FunctionalInterface
    private interface Making {
        void make(Connection connection, int number) throws IOException;
    }

    private void each(int count, Making making) throws IOException, InterruptedException {
        new Crowd(4).make(count, () -> {
            var connection = new Connection(server);
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    making.make(connection, number);
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        });
    }

    private static String post(Connection connection, String path, String body) throws IOException {
        return connection.answer(connection.request("POST", path, body.getBytes(StandardCharsets.UTF_8)));
    }

    private static void put(Connection connection, String path, String body) throws IOException {
        connection.answer(connection.request("PUT", path, body.getBytes(StandardCharsets.UTF_8)));
    }
}
