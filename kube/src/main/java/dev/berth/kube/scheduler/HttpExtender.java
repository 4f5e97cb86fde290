package dev.berth.kube.scheduler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A scheduler extender, asked as kube-scheduler asks one that has a cache of nodes ({@code nodeCacheCapable}): by their
 * names, over HTTP, about the pods that want one of its resources.
 */
public final class HttpExtender implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** As long as kube-scheduler waits unless told otherwise. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int LARGEST_REPLY = 16 << 20;
    private static final int OK = 200;

    private final URI filter;
    private final List<String> managedResources;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** No answer that could be used; another attempt may get one. */
    static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }

        String words() {
            return String.valueOf(getMessage());
        }
    }

    /** Which nodes are left, and why the others are not. */
    record Answer(List<String> left, Map<String, String> failed) {}

    /** @param filter the whole address of its filter verb */
    public HttpExtender(URI filter, List<String> managedResources) {
        this.filter = filter;
        this.managedResources = List.copyOf(managedResources);
    }

    boolean minds(PodNeeds pod) {
        return managedResources.stream().anyMatch(resource -> pod.requests().of(resource) > 0);
    }

    Answer filter(Pod pod, Collection<String> nodes) throws NoAnswerException, InterruptedException {
        var question = JSON.createObjectNode();
        question.set("Pod", JSON.valueToTree(pod));
        question.putNull("Nodes");
        var names = question.putArray("NodeNames");
        nodes.forEach(names::add);
        var reply = ask(question);
        var error = field(reply, "Error").asText("");
        if (!error.isEmpty()) {
            throw new NoAnswerException(error);
        }
        var left = new ArrayList<String>();
        field(reply, "NodeNames").forEach(name -> left.add(name.asText()));
        var failed = new LinkedHashMap<String, String>();
        for (var verdict : List.of("FailedNodes", "FailedAndUnresolvableNodes")) {
            field(reply, verdict)
                    .properties()
                    .forEach(
                            entry -> failed.put(entry.getKey(), entry.getValue().asText()));
        }
        return new Answer(left, failed);
    }

    private JsonNode ask(JsonNode question) throws NoAnswerException, InterruptedException {
        try {
            var request = HttpRequest.newBuilder(filter)
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(question)))
                    .build();
            var response = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_REPLY));
            try {
                return read(response.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } finally {
                response.cancel(true);
            }
        } catch (TimeoutException slow) {
            throw new NoAnswerException("%s did not answer within %d s".formatted(filter, PATIENCE.toSeconds()));
        } catch (ExecutionException failed) {
            throw new NoAnswerException("%s cannot be reached: %s".formatted(filter, failed.getMessage()));
        } catch (JsonProcessingException unspeakable) {
            throw new NoAnswerException("the pod cannot be written down: " + unspeakable.getOriginalMessage());
        }
    }

    private JsonNode read(HttpResponse<byte[]> response) throws NoAnswerException {
        if (response.statusCode() != OK) {
            throw new NoAnswerException("%s answered %d".formatted(filter, response.statusCode()));
        }
        try {
            return JSON.readTree(response.body());
        } catch (IOException malformed) {
            throw new NoAnswerException("%s answered what is not JSON".formatted(filter));
        }
    }

    /** In any letter case, as Go reads it. */
    private static JsonNode field(JsonNode reply, String name) {
        for (var entry : reply.properties()) {
            if (entry.getKey().equalsIgnoreCase(name)) {
                return entry.getValue();
            }
        }
        return JSON.missingNode();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
