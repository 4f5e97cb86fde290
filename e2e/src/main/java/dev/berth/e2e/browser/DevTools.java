package dev.berth.e2e.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The Chrome DevTools Protocol for one tab: numbered calls, their answers, and events in between. */
final class DevTools implements WebSocket.Listener, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final StringBuilder message = new StringBuilder();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

    private DevTools() {}

    static DevTools connect(HttpClient http, URI address) {
        var tools = new DevTools();
        tools.socket.complete(within(http.newWebSocketBuilder().buildAsync(address, tools), "connecting"));
        return tools;
    }

    JsonNode call(String method, ObjectNode parameters) {
        int id = number.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        waiting.put(id, answer);
        var request = JSON.createObjectNode().put("id", id).put("method", method);
        request.set("params", parameters);
        within(within(socket, method).sendText(request.toString(), true), method);
        return within(answer, method);
    }

    private static <T> T within(CompletableFuture<T> future, String what) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the browser did not answer within " + PATIENCE_SECONDS + " s: " + what, e);
        } catch (ExecutionException e) {
            throw new AssertionError(what + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        message.append(part);
        if (last) {
            var text = message.toString();
            message.setLength(0);
            hear(text);
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    private void hear(String text) {
        JsonNode heard;
        try {
            heard = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            problems.add("not JSON: " + text);
            return;
        }
        if (!heard.has("id")) {
            event(heard.path("method").asText(), heard.path("params"));
            return;
        }
        var answer = waiting.remove(heard.path("id").asInt());
        if (answer == null) return;
        if (heard.has("error")) {
            answer.completeExceptionally(new AssertionError(heard.path("error").toString()));
        } else {
            answer.complete(heard.path("result"));
        }
    }

    private void event(String method, JsonNode event) {
        switch (method) {
            case "Runtime.exceptionThrown" ->
                problems.add(event.at("/exceptionDetails").toString());
            case "Log.entryAdded" -> {
                if (event.at("/entry/level").asText().equals("error")) {
                    problems.add(event.path("entry").toString());
                }
            }
            case "Network.requestWillBeSent" ->
                requests.add(event.at("/request/url").asText());
            default -> {
                // of no interest
            }
        }
    }

    @Override
    public void onError(WebSocket from, Throwable problem) {
        waiting.values().forEach(answer -> answer.completeExceptionally(problem));
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        within(socket, "closing").abort();
    }
}
