package dev.berth.e2e.story;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** An HTTPS server in this JVM that answers the admission questions of both servers and remembers them. */
public final class WebhookServer implements AutoCloseable {
    private final HttpsServer server;
    private final SelfSigned certificate;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** A question: an AdmissionReview that came in on a path. */
    public record Asked(String path, JsonNode review) {
        public JsonNode request() {
            return review.path("request");
        }
    }

    private WebhookServer(HttpsServer server, SelfSigned certificate) {
        this.server = server;
        this.certificate = certificate;
    }

    public static WebhookServer start() {
        try {
            var certificate = SelfSigned.forLoopback();
            var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
            var webhooks = new WebhookServer(server, certificate);
            server.setExecutor(webhooks.threads);
            server.start();
            return webhooks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a path answer with the {@code response} that the function makes of an empty one that has the right uid. */
    public WebhookServer on(String path, UnaryOperator<ObjectNode> answer) {
        return onRaw(path, exchange -> {
            var review = Dialogue.JSON.readTree(exchange.getRequestBody().readAllBytes());
            asked.add(new Asked(path, review));
            var reply = Dialogue.JSON.createObjectNode();
            reply.put("apiVersion", review.path("apiVersion").asText());
            reply.put("kind", "AdmissionReview");
            var response = reply.putObject("response")
                    .put("uid", review.at("/request/uid").asText());
            reply.set("response", answer.apply(response.put("allowed", true)));
            send(exchange, 200, reply.toString());
        });
    }

    /** What goes over the wire is up to the story. */
    public interface Conversation {
        void with(HttpExchange exchange) throws IOException;
    }

    public WebhookServer onRaw(String path, Conversation conversation) {
        server.createContext(path, exchange -> {
            try (exchange) {
                conversation.with(exchange);
            }
        });
        return this;
    }

    public static void send(HttpExchange exchange, int code, String body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        var bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** What the path was asked so far. */
    public List<Asked> asked(String path) {
        return asked.stream().filter(each -> each.path().equals(path)).toList();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** As a webhook configuration wants it. */
    public String caBundle() {
        return certificate.caBundle();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
