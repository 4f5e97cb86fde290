package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.StringJoiner;

/** Nodes of eight GPUs as the assigner reads them, ready and with room for every pod. */
public record GpuNodes(int count) {
    public static final int GPUS = 8;

    private static final String NODES = "/api/v1/nodes";

    void create(Target server) throws IOException, InterruptedException {
        new Crowd(8).make(count, () -> {
            var connection = new Connection(server);
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    byte[] node = json(number).getBytes(StandardCharsets.UTF_8);
                    String path = NODES + "/" + name(number);
                    connection.answer(connection.request("POST", NODES, node));
                    // The server puts a taint on every new node; written once more it is gone.
                    connection.answer(connection.request("PUT", path, node));
                    connection.answer(connection.request("PUT", path + "/status", node));
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        });
    }

    static String name(int number) {
        return "node-%05d".formatted(number);
    }

    static String json(int number) {
        return """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s","accelerator":"a100","zone":"one"},\
                "annotations":{"fudo.org/gpu.device.labels":"%2$s"}},"spec":{},\
                "status":{"capacity":{"cpu":"128","memory":"1Ti","pods":"110"},"allocatable":{"cpu":"128","memory":"1Ti","pods":"110"},\
                "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","message":"ready"}]}}""".formatted(name(number), annotation(number));
    }

    public static String annotation(int number) {
        var devices = new StringJoiner(",", "{", "}");
        for (int gpu = 0; gpu < GPUS; gpu++) {
            devices.add("\"GPU-%08x-0000-4000-8000-%012x\":[\"fudo.org/gpu.a100\",\"fudo.org/gpu.vram.80g\"]"
                    .formatted(number, gpu));
        }
        return Base64.getEncoder().encodeToString(devices.toString().getBytes(StandardCharsets.UTF_8));
    }
}
