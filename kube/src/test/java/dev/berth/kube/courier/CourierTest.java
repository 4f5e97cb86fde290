package dev.berth.kube.courier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Throttle;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes over the wire, and what becomes of the answers, against a server that answers as it is told. */
class CourierTest {
    private static final String PATH = "/api/v1/namespaces/default/configmaps/one";
    private static final String OBJECT = "{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"one\"}}";

    @TempDir
    private Path directory = Path.of(".");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private Consumer<HttpExchange> script = exchange -> answer(exchange, 200, OBJECT);

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            heard.add("%s %s %s %s"
                    .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), header(exchange), body)
                    .strip());
            script.accept(exchange);
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aPatchSaysItsKindAndWhoAsks() {
        try (var cluster = connect("{token: secret}")) {
            cluster.courier().patch(PATH, Courier.STRATEGIC_MERGE_PATCH, Map.of("data", Map.of("a", "b")));
        }

        assertThat(heard)
                .containsExactly("PATCH " + PATH
                        + " application/strategic-merge-patch+json Bearer secret {\"data\":{\"a\":\"b\"}}");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        script = exchange -> answer(exchange, 404, "{\"kind\":\"Status\",\"message\":\"none\"}");
        try (var cluster = connect("{}")) {
            assertThat(cluster.courier().get(PATH, ConfigMap.class)).isEmpty();
        }
    }

    @Test
    void whatIsGoneAlreadyNeedNotBeRemoved() {
        script = exchange -> answer(exchange, 404, "{\"kind\":\"Status\",\"message\":\"none\"}");
        try (var cluster = connect("{}")) {
            cluster.courier().delete(PATH);
        }

        assertThat(heard).singleElement().asString().startsWith("DELETE " + PATH);
    }

    @Test
    void aRefusalHasTheServersWordsAndCode() {
        script = exchange -> answer(exchange, 409, "{\"kind\":\"Status\",\"message\":\"it has been modified\"}");

        var problem = failure();

        assertThat(Failure.of(problem)).isEqualTo(Failure.CONFLICT);
        assertThat(Failure.words(problem)).isEqualTo("it has been modified");
        assertThat(problem).hasMessageContaining("PUT " + PATH);
    }

    @Test
    void anAnswerThatIsNoStatusIsNamedByItsCode() {
        script = exchange -> answer(exchange, 502, "<html>bad gateway</html>");

        var problem = failure();

        assertThat(Failure.of(problem)).isEqualTo(Failure.UNKNOWN);
        assertThat(Failure.words(problem)).contains("502");
    }

    @Test
    void aServerThatIsAwayIsUnreachable() {
        server.stop(0);

        assertThat(Failure.of(failure())).isEqualTo(Failure.UNREACHABLE);
    }

    @Test
    void aConnectionThatBreaksLeavesOpenWhetherItWasDone() {
        script = HttpExchange::close;

        assertThat(Failure.of(failure())).isEqualTo(Failure.UNKNOWN);
    }

    @Test
    void anAnswerThatEndsHalfWayLeavesOpenWhetherItWasDone() {
        script = exchange -> {
            try {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write('{');
                exchange.getResponseBody().flush();
                exchange.getHttpContext().getServer().stop(0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };

        assertThat(Failure.of(failure())).isEqualTo(Failure.UNKNOWN);
    }

    @Test
    void theTimeThatTheServerAsksForIsHeardAndTheOneThatItHas() {
        script = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "7");
            answer(exchange, 429, "{\"kind\":\"Status\",\"message\":\"slow down\"}");
        };
        var throttle = new Throttle(InstantSource.system());
        var dates = new ArrayList<String>();
        try (var cluster = connect("{}");
                var courier = Courier.of(
                        cluster.client().getConfiguration(),
                        cluster::client,
                        new ObjectMapper(),
                        throttle,
                        dates::add,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))) {
            var problem =
                    catchThrowableOfType(KubernetesClientException.class, () -> courier.tell("PUT", PATH, Map.of()));

            assertThat(Failure.of(problem)).isEqualTo(Failure.TURNED_AWAY);
            assertThat(throttle.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(7));
            assertThat(dates)
                    .singleElement()
                    .satisfies(date -> assertThat(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)))
                            .isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS)));
        }
    }

    @Test
    void aTokenFileIsReadAgain() throws IOException {
        var file = Files.writeString(directory.resolve("token"), "first");
        try (var cluster = connect("{tokenFile: \"%s\"}".formatted(file))) {
            cluster.courier().get(PATH, ConfigMap.class);
            Files.writeString(file, "second");
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
            cluster.courier().get(PATH, ConfigMap.class);
        }

        assertThat(heard).map(request -> request.replaceAll(".*Bearer ", "")).containsExactly("first", "second");
    }

    @Test
    void somebodyElsesNameGoesThroughTheClientThatKnowsHow() {
        try (var cluster = connect("{as: jane}")) {
            assertThat(cluster.courier().get(PATH, ConfigMap.class)).isPresent();
        }

        assertThat(heard).singleElement().asString().contains("as jane");
    }

    @Test
    void anUnknownTokenIsTriedAgainByTheClientThatCanRenewIt() {
        script = exchange -> answer(exchange, heard.size() == 1 ? 401 : 200, OBJECT);
        try (var cluster = connect("{token: old}")) {
            cluster.courier().tell("PUT", PATH, Map.of("a", "b"));
        }

        assertThat(heard).hasSize(2).allSatisfy(request -> assertThat(request).contains("{\"a\":\"b\"}"));
    }

    private KubernetesClientException failure() {
        try (var cluster = connect("{}")) {
            return catchThrowableOfType(
                    KubernetesClientException.class, () -> cluster.courier().tell("PUT", PATH, Map.of("a", "b")));
        }
    }

    /** @param user what the kubeconfig says of the user */
    private Cluster connect(String user) {
        try {
            var file = Files.writeString(directory.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: test
                    contexts: [{name: test, context: {cluster: test, user: test}}]
                    clusters: [{name: test, cluster: {server: "%s"}}]
                    users: [{name: test, user: %s}]
                    """.formatted(address(), user));
            return Cluster.connect(ConnectionSettings.of(Optional.of(file), Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static String header(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        var words = new StringBuilder();
        Optional.ofNullable(headers.getFirst("Content-Type"))
                .ifPresent(type -> words.append(type).append(' '));
        Optional.ofNullable(headers.getFirst("Authorization")).ifPresent(words::append);
        Optional.ofNullable(headers.getFirst("Impersonate-User"))
                .ifPresent(user -> words.append("as ").append(user));
        return words.toString();
    }

    private static void answer(HttpExchange exchange, int code, String body) {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
