package dev.berth.advisor.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.advisor.store.SqlStore;
import dev.berth.advisor.store.SqliteFile;
import dev.berth.advisor.store.Store;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** The agent behind a port of its own, as the command wires it. */
final class RunningAgent implements AutoCloseable {
    static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Store store;
    private final Agent agent;
    private final HttpServer server;

    RunningAgent(Path file, Map<String, String> environment) {
        store = SqlStore.open(new SqliteFile(file));
        var metrics = new Metrics();
        agent = new Agent(
                AgentSettings.of(environment),
                store,
                new SplittableRandom(1),
                InstantSource.system(),
                metrics.registry());
        server = HttpServer.start(List.of(new Listener(
                "agent",
                "127.0.0.1",
                0,
                Optional.empty(),
                Limits.DEFAULT,
                routes -> {
                    metrics.addTo(routes);
                    new AgentRoutes(agent).addTo(routes);
                },
                AgentRoutes.ERRORS)));
    }

    /** @param type empty to say nothing about what the body is */
    HttpResponse<String> send(String method, String path, String type, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(server.port("agent"), path)))
                .timeout(Duration.ofSeconds(20))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!type.isEmpty()) request.header("content-type", type);
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, "application/json", body);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "", "");
    }

    static JsonNode json(HttpResponse<String> reply) throws IOException {
        return JSON.readTree(reply.body());
    }

    @Override
    public void close() {
        server.close();
        agent.close();
        store.close();
        client.close();
    }
}
