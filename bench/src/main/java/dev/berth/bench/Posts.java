package dev.berth.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes objects, one or many at once. */
final class Posts {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CREATORS = 8;

    private final Target server;

    Posts(Target server) {
        this.server = server;
    }

    /** What is posted where. */
    record Made(String path, String body) {}

    @FunctionalInterface
    interface Maker {
        Made make(int number) throws IOException;
    }

    void inParallel(int count, Maker maker) throws Exception {
        var parts = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(CREATORS)) {
            for (int worker = 0; worker < CREATORS; worker++) {
                int offset = worker;
                parts.add(threads.submit(() -> {
                    try (var connection = new Connection(server)) {
                        for (int number = offset; number < count; number += CREATORS) {
                            create(connection, maker.make(number));
                        }
                        return true;
                    }
                }));
            }
            for (var part : parts) {
                part.get();
            }
        }
    }

    void create(String path, JsonNode body) throws IOException {
        try (var connection = new Connection(server)) {
            create(connection, new Made(path, JSON.writeValueAsString(body)));
        }
    }

    private static void create(Connection connection, Made made) throws IOException {
        int code = connection.send(
                connection.request("POST", made.path(), made.body().getBytes(StandardCharsets.UTF_8)));
        if (code != 201) {
            throw new IOException(made.path() + " was answered with " + code);
        }
    }
}
