package dev.berth.kube.cache;

import static dev.berth.kube.proto.MessageWriter.enveloped;
import static dev.berth.kube.proto.MessageWriter.frame;
import static dev.berth.kube.proto.MessageWriter.framed;
import static dev.berth.kube.proto.MessageWriter.join;
import static dev.berth.kube.proto.MessageWriter.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.TestServer;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.proto.MessageWriter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache and a server that speaks protobuf, or does so now and then. */
class ProtobufFollowingTest {
    private static final String BOTH = "application/vnd.kubernetes.protobuf, application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String WATCH = "application/vnd.kubernetes.protobuf;stream=watch";
    private static final String JSON = "application/json";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> accepted = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Deque<Consumer<HttpExchange>> script = new ArrayDeque<>();
    private HttpServer server;
    private Cluster cluster;
    private Cache<Pod> cache;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            asked.add(String.valueOf(exchange.getRequestURI()));
            accepted.add(exchange.getRequestHeaders().getFirst("Accept"));
            next().accept(exchange);
        });
        server.start();
        cluster = Cluster.connect(new ConnectionSettings.At(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())));
        cache = Cache.of(cluster, Listing.of(Pod.class));
        cache.onChange(change -> told.add(change.getClass().getSimpleName() + " "
                + change.newest().getMetadata().getName() + " "
                + change.newest().getMetadata().getResourceVersion()));
    }

    @AfterEach
    void stop() {
        cache.close();
        cluster.close();
        server.stop(0);
    }

    @Test
    void pagesAndEventsAreRead() {
        script.add(answer(200, PROTOBUF, list("9", "mo+re=", pod("a", 3))));
        script.add(answer(200, PROTOBUF, list("9", "", pod("b", 4))));
        script.add(answer(
                200,
                WATCH,
                frame("ADDED", "Pod", pod("c", 10)),
                frame("MODIFIED", "Pod", pod("a", 11)),
                frame("BOOKMARK", "Pod", pod("", 15))));
        script.add(answer(200, WATCH, frame("DELETED", "Pod", pod("b", 16))));

        follow("Removed b 16");

        assertThat(told).containsExactly("Added a 3", "Added b 4", "Added c 10", "Updated a 11", "Removed b 16");
        assertThat(asked.get(1)).contains("continue=mo%2Bre%3D");
        assertThat(asked.get(2)).contains("resourceVersion=9");
        assertThat(asked.get(3)).contains("resourceVersion=15");
        assertThat(List.copyOf(accepted).subList(0, 4)).containsOnly(BOTH);
    }

    @Test
    void anAnswerMayBeJsonAtAnyTime() {
        script.add(answer(200, PROTOBUF, list("9", "more", pod("a", 3))));
        script.add(answer(200, JSON, text("""
                {"metadata": {"resourceVersion": "9", "continue": "evenmore"}, "items": [%s]}
                """.formatted(json("b", 4)))));
        script.add(answer(200, PROTOBUF, list("9", "", pod("c", 5))));
        script.add(answer(200, JSON, text("{\"type\": \"ADDED\", \"object\": %s}\n".formatted(json("d", 10)))));
        script.add(answer(200, WATCH, frame("ADDED", "Pod", pod("e", 11))));

        follow("Added e 11");

        assertThat(told).containsExactly("Added a 3", "Added b 4", "Added c 5", "Added d 10", "Added e 11");
    }

    @Test
    void aWatchThatIsCutInTheMiddleOfAnObjectLosesNothing() {
        var second = frame("ADDED", "Pod", pod("b", 11));
        script.add(answer(200, PROTOBUF, list("9", "")));
        script.add(answer(200, WATCH, frame("ADDED", "Pod", pod("a", 10)), Arrays.copyOf(second, second.length - 3)));
        script.add(answer(200, WATCH, second));

        follow("Added b 11");

        assertThat(told).containsExactly("Added a 10", "Added b 11");
        assertThat(asked.get(2)).contains("resourceVersion=10");
    }

    @Test
    void anEventThatCannotBeReadIsPassedOver() {
        script.add(answer(200, PROTOBUF, list("9", "")));
        script.add(answer(
                200,
                WATCH,
                framed(text("rubbish")),
                framed(new byte[0]),
                frame("SURPRISE", "Pod", message()),
                frame("ADDED", "Pod", message().text(2, "no metadata")),
                frame("BOOKMARK", "Pod", message().with(1, metadata -> metadata)),
                frame("ADDED", "Pod", pod("b", 11))));

        follow("Added b 11");

        assertThat(told).containsExactly("Added b 11");
    }

    @Test
    void whatTheServerHasForgottenIsListedAgain() {
        script.add(answer(200, PROTOBUF, list("9", "", pod("a", 3))));
        script.add(answer(200, WATCH, frame("ERROR", "Status", status(410, "too old"))));
        script.add(answer(200, PROTOBUF, list("29", "more", pod("b", 24))));
        script.add(answer(410, PROTOBUF, enveloped("Status", status(410, "expired"))));
        script.add(answer(200, PROTOBUF, list("30", "", pod("b", 24))));

        follow("Removed a 3");

        assertThat(told).containsExactly("Added a 3", "Added b 24", "Removed a 3");
        assertThat(asked.get(4)).endsWith("/api/v1/pods?limit=500");
    }

    @Test
    void aListThatBreaksOffIsNone() {
        var whole = list("9", "", pod("a", 3), pod("b", 4));
        script.add(answer(200, PROTOBUF, Arrays.copyOf(whole, whole.length - 10)));
        script.add(answer(200, PROTOBUF, list("10", "", pod("a", 3), pod("b", 4))));

        follow("Added b 4");

        TestServer.await("a list", cache::synced);
        assertThat(List.copyOf(asked).subList(0, 2)).containsOnly("/api/v1/pods?limit=500");
    }

    @Test
    void aRefusalIsToldInItsOwnWords() {
        script.add(answer(403, PROTOBUF, enveloped("Status", status(403, "pods is forbidden"))));

        assertThatThrownBy(() -> Pages.read(cluster, Listing.of(Pod.class), Duration.ofSeconds(5)))
                .isInstanceOfSatisfying(KubernetesClientException.class, refused -> {
                    assertThat(refused.getStatus().getMessage()).isEqualTo("pods is forbidden");
                    assertThat(refused.getCode()).isEqualTo(403);
                });
    }

    @Test
    void pagesPastTheCachesAreReadTheSameWay() {
        script.add(answer(200, PROTOBUF, list("9", "more", pod("a", 3))));
        script.add(answer(200, JSON, text("{\"metadata\": {}, \"items\": [%s]}".formatted(json("b", 4)))));

        assertThat(Pages.read(cluster, Listing.of(Pod.class), Duration.ofSeconds(5)))
                .extracting(pod -> pod.getMetadata().getName())
                .containsExactly("a", "b");
        assertThat(accepted).containsOnly(BOTH);
    }

    @Test
    void otherKindsAreAskedForAsJson() {
        for (int i = 0; i < 3; i++) {
            script.add(answer(200, JSON, text("{\"metadata\": {}, \"items\": []}")));
        }

        Pages.read(cluster, Listing.of(NodeLedger.class), Duration.ofSeconds(5));
        Pages.read(cluster, Listing.of(ConfigMap.class), Duration.ofSeconds(5));
        Pages.read(cluster, Listing.of("example.com/v1", "widgets"), Duration.ofSeconds(5));

        assertThat(accepted).containsExactly(JSON, JSON, JSON);
    }

    private void follow(String last) {
        cache.start();
        TestServer.await(last, () -> told.contains(last));
    }

    /** After its last word the server is silent. */
    private Consumer<HttpExchange> next() {
        synchronized (script) {
            return script.isEmpty() ? exchange -> {} : script.remove();
        }
    }

    private static MessageWriter pod(String name, int version) {
        return message()
                .with(1, metadata -> metadata.text(1, name).text(5, name).text(6, String.valueOf(version)));
    }

    private static MessageWriter status(int code, String words) {
        return message().text(2, "Failure").text(3, words).number(6, code);
    }

    private static byte[] list(String version, String token, MessageWriter... pods) {
        var list = message().with(1, metadata -> metadata.text(2, version).text(3, token));
        for (var pod : pods) {
            list.bytes(2, pod.bytes());
        }
        return enveloped("PodList", list);
    }

    private static String json(String name, int version) {
        return "{\"metadata\": {\"name\": \"%s\", \"uid\": \"%s\", \"resourceVersion\": \"%d\"}}"
                .formatted(name, name, version);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Consumer<HttpExchange> answer(int code, String contentType, byte[]... body) {
        return exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", contentType);
                exchange.sendResponseHeaders(code, 0);
                exchange.getResponseBody().write(join(body));
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        };
    }
}
