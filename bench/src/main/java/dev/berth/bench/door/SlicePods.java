package dev.berth.bench.door;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.Connection;
import dev.berth.bench.PodBody;
import dev.berth.bench.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/** Pods of 2 KB that want a third of a GPU: some run already, others are asked about. */
public final class SlicePods {
    private static final ObjectMapper JSON = new ObjectMapper();
    public static final String PODS = "/api/v1/namespaces/race/pods";

    private final Target server;

    SlicePods(Target server) {
        this.server = server;
    }

    public static ObjectNode pod(String name) throws IOException {
        var pod = (ObjectNode) JSON.readTree(PodBody.of(name));
        var resources = (ObjectNode) pod.at("/spec/containers/0/resources");
        var limits =
                "{\"cpu\":\"1\",\"memory\":\"1Gi\",\"tencent.com/vcuda-core\":\"30\",\"tencent.com/vcuda-memory\":\"16\"}";
        resources.set("limits", JSON.readTree(limits));
        resources.set("requests", JSON.readTree(limits));
        return pod;
    }

    /** Pods that run as if they had been placed long ago, evenly over the GPUs of so many nodes. */
    void run(int from, int to, int nodes) throws IOException, InterruptedException {
        made(to - from, number -> {
            int place = from + number;
            int gpu = place / nodes % SliceNodes.GPUS;
            var node = SliceNodes.name(place % nodes);
            var pod = pod("placed-" + place);
            pod.withObject("/spec").put("nodeName", node);
            pod.withObject("/metadata/annotations")
                    .put("tencent.com/predicate-gpu-idx-0", Integer.toString(gpu))
                    .put("tencent.com/predicate-node", node)
                    .put("tencent.com/predicate-time", "1700000000000000000")
                    .put("tencent.com/gpu-assigned", "true");
            return pod;
        });
    }

    /** Pods that wait for a node, as the API server has them. */
    List<String> waiting(String prefix, int count) throws IOException, InterruptedException {
        return made(count, number -> pod("%s-%05d".formatted(prefix, number)));
    }

    @FunctionalInterface
    private interface Making {
        JsonNode make(int number) throws IOException;
    }

    private List<String> made(int count, Making making) throws IOException, InterruptedException {
        var made = new ConcurrentSkipListMap<Integer, String>();
        new Crowd(8).make(count, () -> {
            var connection = new Connection(server);
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    var body = making.make(number).toString().getBytes(StandardCharsets.UTF_8);
                    made.put(number, connection.answer(connection.request("POST", PODS, body)));
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        });
        return new ArrayList<>(made.values());
    }

    public static String name(String pod) throws IOException {
        return JSON.readTree(pod).at("/metadata/name").asText();
    }

    /** What a scheduler does with an answer. */
    public static void bind(Connection connection, String pod, String node) throws IOException {
        var body =
                "{\"metadata\":{\"name\":\"%s\"},\"target\":{\"kind\":\"Node\",\"name\":\"%s\"}}".formatted(pod, node);
        connection.answer(
                connection.request("POST", PODS + "/" + pod + "/binding", body.getBytes(StandardCharsets.UTF_8)));
    }

    void remove(List<String> pods) throws IOException, InterruptedException {
        new Crowd(8).make(pods.size(), () -> {
            var connection = new Connection(server);
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    connection.answer(connection.request(
                            "DELETE", PODS + "/" + name(pods.get(number)) + "?gracePeriodSeconds=0", new byte[0]));
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        });
    }
}
