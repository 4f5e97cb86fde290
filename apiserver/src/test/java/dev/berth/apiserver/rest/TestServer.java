package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One server for all tests of this package, each in a namespace of its own, and a client that speaks plain HTTP. */
final class TestServer {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final AtomicInteger NAMESPACES = new AtomicInteger();
    private static final TestServer SHARED = new TestServer(
            ApiServer.start(ApiServerSettings.defaults().withPort(0).withoutControllers()));

    private final ApiServer server;
    private final HttpClient http = HttpClient.newHttpClient();

    TestServer(ApiServer server) {
        this.server = server;
    }

    static TestServer shared() {
        return SHARED;
    }

    ApiServer server() {
        return server;
    }

    record Answer(int code, JsonNode body, HttpResponse<String> raw) {
        String text(String pointer) {
            return body.at(pointer).asText();
        }

        String message() {
            return text("/message");
        }
    }

    String newNamespace() {
        String name = "test-" + NAMESPACES.incrementAndGet();
        post("/api/v1/namespaces", "{'metadata':{'name':'" + name + "'}}");
        return name;
    }

    Answer get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    Answer post(String path, String body) {
        return send("POST", path, body, "Content-Type", "application/json");
    }

    Answer put(String path, String body) {
        return send("PUT", path, body, "Content-Type", "application/json");
    }

    Answer merge(String path, String body) {
        return send("PATCH", path, body, "Content-Type", "application/merge-patch+json");
    }

    Answer delete(String path) {
        return send("DELETE", path, "");
    }

    Answer delete(String path, String body) {
        return send("DELETE", path, body, "Content-Type", "application/json");
    }

    /** Bodies are written with single quotes, which are turned into double ones. */
    Answer send(String method, String path, String body, String... headers) {
        HttpRequest request = request(path, headers)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            boolean json =
                    response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
            return new Answer(
                    response.statusCode(),
                    json
                            ? MAPPER.readTree(response.body())
                            : com.fasterxml.jackson.databind.node.MissingNode.getInstance(),
                    response);
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The events of a watch that ends by itself: give it a short timeoutSeconds. */
    List<JsonNode> watch(String path) {
        Answer answer = get(path);
        return answer.raw().body().lines().map(TestServer::parse).toList();
    }

    /** The lines of a watch as they come. */
    Stream<String> open(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofLines())
                .body();
    }

    static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new AssertionError(json, e);
        }
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(60));
        for (int i = 0; i < headers.length; i += 2) request.header(headers[i], headers[i + 1]);
        return request;
    }
}
