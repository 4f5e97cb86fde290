package dev.berth.e2e.story;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * A conversation with one server over plain HTTP, written down. What differs by nature between two runs (ids, times,
 * versions, generated names) is replaced in the transcript; all else is compared.
 *
 * <p>In paths and bodies {@code {ns}} stands for the story's namespace. Bodies are written in YAML and sent as JSON.
 */
public final class Dialogue {
    static final ObjectMapper JSON = new ObjectMapper();
    static final YAMLMapper YAML = new YAMLMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final String namespace;
    private final Normaliser normaliser = new Normaliser();
    private final StringBuilder transcript = new StringBuilder();
    private final Deque<Runnable> leftovers = new ArrayDeque<>();

    Dialogue(Cluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
    }

    // ---- talking

    public Answer get(String path) {
        return send(request("GET", path));
    }

    public Answer post(String path, String yaml) {
        return send(request("POST", path).json(yaml));
    }

    public Answer put(String path, String yaml) {
        return send(request("PUT", path).json(yaml));
    }

    public Answer delete(String path) {
        return send(request("DELETE", path));
    }

    /** @param options DeleteOptions */
    public Answer delete(String path, String options) {
        return send(request("DELETE", path).json(options));
    }

    public Answer mergePatch(String path, String yaml) {
        return send(request("PATCH", path).body(json(yaml)).type("application/merge-patch+json"));
    }

    public Answer strategicPatch(String path, String yaml) {
        return send(request("PATCH", path).body(json(yaml)).type("application/strategic-merge-patch+json"));
    }

    public Answer jsonPatch(String path, String yaml) {
        return send(request("PATCH", path).body(json(yaml)).type("application/json-patch+json"));
    }

    /** Server-side apply. */
    public Answer apply(String path, String manager, String yaml) {
        var query = (path.contains("?") ? "&" : "?") + "fieldManager=" + manager;
        return send(request("PATCH", path + query).body(json(yaml)).type("application/apply-patch+yaml"));
    }

    public Request request(String method, String path) {
        return new Request(method, inNamespace(path));
    }

    /** Sends a request and writes the exchange down. */
    public Answer send(Request request) {
        try {
            var response = cluster.http().send(request.http(cluster), HttpResponse.BodyHandlers.ofString(UTF_8));
            var answer = answer(response);
            normaliser.knows(request.path() + " " + request.text());
            var heading = normaliser.text("> %s %s".formatted(request.method(), request.path()));
            var yaml = response.headers().firstValue("Content-Type").orElse("").equals("application/yaml");
            var body = yaml ? normaliser.yaml(answer.text()) : normaliser.body(answer.text());
            write(heading, "< " + response.statusCode() + " " + headers(response), body);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.path(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Answer answer(HttpResponse<String> response) {
        return new Answer(
                response.statusCode(), response.body(), response.headers().allValues("Warning"));
    }

    private static String headers(HttpResponse<?> response) {
        var shown = new StringBuilder();
        for (var name : List.of("Content-Type", "Warning", "Retry-After", "Allow", "Location")) {
            for (var value : response.headers().allValues(name)) {
                shown.append(shown.isEmpty() ? "" : "\n< ")
                        .append(name)
                        .append(": ")
                        .append(value);
            }
        }
        return shown.toString();
    }

    /** Opens a watch; what it brings is written down as it is read. */
    public Watching watch(String path) {
        return watch(path, "application/json");
    }

    public Watching watch(String path, String accept) {
        var request = request("GET", path + (path.contains("?") ? "&" : "?") + "watch=true")
                .accept(accept);
        try {
            HttpResponse<InputStream> response =
                    cluster.http().send(request.http(cluster), HttpResponse.BodyHandlers.ofInputStream());
            normaliser.knows(request.path());
            write(normaliser.text("> WATCH " + request.path()), "< " + response.statusCode() + " " + headers(response));
            var watching = new Watching(this, response.body());
            leftovers.push(watching::close);
            return watching;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    // ---- what is not written down

    /** Asks again and again, off the record, until the answer is as wanted. */
    public JsonNode await(String path, Predicate<JsonNode> wanted) {
        var last = new Answer[1];
        Await.until(
                PATIENCE,
                () -> {
                    last[0] = quietly("GET", path, "");
                    return wanted.test(last[0].body());
                },
                () -> "%s is still %s".formatted(path, last[0].text()));
        return last[0].body();
    }

    /** Sends off the record. */
    public Answer quietly(String method, String path, String yaml) {
        var request = request(method, path);
        if (!yaml.isEmpty()) request.json(yaml);
        return quietly(request);
    }

    /** Sends off the record. */
    public Answer quietly(Request request) {
        try {
            var response = cluster.http().send(request.http(cluster), HttpResponse.BodyHandlers.ofString(UTF_8));
            return answer(response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Deletes a cluster-wide thing when the story is over, so that the next story does not meet it. */
    public void cleanUp(String path) {
        leftovers.push(() -> quietly("DELETE", path + "?gracePeriodSeconds=0", ""));
    }

    /**
     * Does not compare what lies at a JSON pointer of a body; {@code *} stands for any element. The why is for readers.
     */
    public void leaveOut(String pointer, String why) {
        if (why.isBlank()) throw new IllegalArgumentException("say why " + pointer + " is not compared");
        normaliser.leaveOut(pointer);
    }

    /** Replaces a text that differs between the servers, such as a port, by a word. */
    public void hide(String text, String word) {
        normaliser.replace(text, word);
    }

    /** Writes a finding of the story itself down. */
    public void note(String what, Object found) {
        var text =
                found instanceof JsonNode tree ? normaliser.body(tree.toString()) : normaliser.text(found.toString());
        write("! %s: %s".formatted(what, text));
    }

    public Kubectl kubectl() {
        return new Kubectl(this);
    }

    public String namespace() {
        return namespace;
    }

    public Cluster cluster() {
        return cluster;
    }

    // ---- for this package

    String inNamespace(String text) {
        return text.replace("{ns}", namespace);
    }

    Normaliser normaliser() {
        return normaliser;
    }

    void write(String... lines) {
        for (var line : lines) {
            transcript.append(line.stripTrailing()).append('\n');
        }
    }

    String transcript() {
        return transcript.toString();
    }

    void createNamespace() {
        quietly("POST", "/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: \"{ns}\"}}");
    }

    /** Pods go first: a door that another story starts would count what they hold. */
    void close() {
        quietly("DELETE", "/api/v1/namespaces/{ns}/pods?gracePeriodSeconds=0", "");
        while (!leftovers.isEmpty()) leftovers.pop().run();
    }

    static String json(String yaml) {
        try {
            return YAML.readTree(yaml).toString();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }

    /** A request under construction, for stories that need other headers or bytes than the usual ones. */
    public final class Request {
        private final String method;
        private final String path;
        private final HttpRequest.Builder builder;
        private String body = "";

        private Request(String method, String path) {
            this.method = method;
            this.path = path;
            builder = HttpRequest.newBuilder(cluster.address().resolve(path.replace(" ", "%20")))
                    .timeout(Duration.ofMinutes(1))
                    .header("User-Agent", "story/1.0");
        }

        public Request header(String name, String value) {
            builder.setHeader(name, value);
            return this;
        }

        public Request accept(String type) {
            return header("Accept", type);
        }

        public Request type(String contentType) {
            return header("Content-Type", contentType);
        }

        /** The body as it is. */
        public Request body(String text) {
            body = inNamespace(text);
            return this;
        }

        public Request json(String yaml) {
            return body(Dialogue.json(inNamespace(yaml))).type("application/json");
        }

        String method() {
            return method;
        }

        String path() {
            return path;
        }

        String text() {
            return body;
        }

        HttpRequest http(Cluster to) {
            to.token().ifPresent(token -> {
                var named = builder.copy().build().headers().firstValue("Authorization");
                if (named.isEmpty()) builder.setHeader("Authorization", "Bearer " + token);
            });
            var publisher = body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body, UTF_8);
            return builder.method(method, publisher).build();
        }
    }
}
