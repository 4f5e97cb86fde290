package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Status;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a cache asks, and makes of the answers, against a server that answers as it is told. */
class FollowingTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Deque<Consumer<HttpExchange>> script = new ArrayDeque<>();
    private HttpServer server;
    private Cluster cluster;
    private Cache<ConfigMap> cache;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            asked.add(question(exchange.getRequestURI()));
            next().accept(exchange);
        });
        server.start();
        cluster = Cluster.connect(new ConnectionSettings.At(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())));
        cache = Cache.of(cluster, Listing.of(ConfigMap.class));
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
    void pagesAreReadToTheLastAndThenTheirVersionIsWatched() {
        script.add(list("9", "mo+re=", map("a", 3)));
        script.add(list("9", "", map("b", 4)));
        script.add(
                events(event("ADDED", map("c", 10)), event("MODIFIED", map("a", 11)), event("DELETED", map("b", 12))));

        follow("Removed b 12");

        assertThat(told).containsExactly("Added a 3", "Added b 4", "Added c 10", "Updated a 11", "Removed b 12");
        assertThat(List.copyOf(asked).subList(0, 3))
                .containsExactly(
                        "/api/v1/configmaps?limit=500",
                        "/api/v1/configmaps?continue=mo%2Bre%3D&limit=500",
                        "/api/v1/configmaps?allowWatchBookmarks=true&resourceVersion=9&watch=true");
    }

    @Test
    void aWatchThatEndsIsOpenedAgainWhereItEnded() {
        script.add(list("9", ""));
        script.add(events(event("ADDED", map("a", 10)), event("BOOKMARK", map("", 15))));
        script.add(events(event("ADDED", map("b", 16))));

        follow("Added b 16");

        assertThat(asked.get(2)).contains("resourceVersion=15&");
    }

    @Test
    void aWatchThatIsCutInTheMiddleOfAnObjectLosesNothing() {
        script.add(list("9", ""));
        script.add(events(
                event("ADDED", map("a", 10)), event("ADDED", map("b", 11)).substring(0, 30)));
        script.add(events(event("ADDED", map("b", 11))));

        follow("Added b 11");

        assertThat(told).containsExactly("Added a 10", "Added b 11");
        assertThat(asked.get(2)).contains("resourceVersion=10&");
    }

    @Test
    void whatTheServerHasForgottenIsListedAgain() {
        script.add(list("9", "", map("a", 3), map("b", 4), map("c", 5)));
        script.add(events("""
                {"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}
                """));
        script.add(list("29", "", map("a", 3), map("b", 24)));

        follow("Removed c 5");

        assertThat(told).containsExactly("Added a 3", "Added b 4", "Added c 5", "Updated b 24", "Removed c 5");
    }

    @Test
    void aPageThatCannotBeHadAnyMoreBeginsTheListAnew() {
        script.add(list("9", "more", map("a", 3)));
        script.add(exchange -> answer(exchange, 410, "{\"kind\":\"Status\",\"code\":410,\"message\":\"expired\"}"));
        script.add(list("10", "", map("a", 3), map("b", 4)));

        follow("Added b 4");

        assertThat(told).containsExactly("Added a 3", "Added b 4");
        assertThat(asked.get(2)).isEqualTo("/api/v1/configmaps?limit=500");
    }

    @Test
    void aCacheIsNotFilledBeforeTheServerHasAnswered() {
        script.add(exchange -> answer(exchange, 500, "{}"));
        script.add(exchange -> answer(exchange, 403, "{}"));
        script.add(exchange -> answer(exchange, 200, "{\"metadata\": {\"resourceVersion\": \"3\"}, \"items\": [{"));
        script.add(list("9", "", map("a", 3)));

        follow("Added a 3");

        TestServer.await("a list", cache::synced);
        assertThat(List.copyOf(asked).subList(0, 4)).containsOnly("/api/v1/configmaps?limit=500");
    }

    @Test
    void whatIsToldAgainIsHeardOnce() {
        script.add(list("9", "", map("a", 7)));
        script.add(events(
                event("ADDED", map("a", 7)),
                event("MODIFIED", map("a", 12)),
                event("MODIFIED", map("a", 7)),
                event("DELETED", map("a", 8)),
                event("MODIFIED", map("a", 12)),
                event("MODIFIED", map("a", 13))));

        follow("Updated a 13");

        assertThat(told).containsExactly("Added a 7", "Updated a 12", "Updated a 13");
    }

    @Test
    void aServerThatBeganAnewIsListedAgain() {
        script.add(list("900", "", map("a", 800)));
        script.add(events(event("BOOKMARK", map("", 5))));
        script.add(list("6", "", map("b", 4)));

        follow("Removed a 800");

        assertThat(told).containsExactly("Added a 800", "Added b 4", "Removed a 800");
    }

    @Test
    void aServerThatKeepsFailingIsListedAgainInTheEnd() {
        script.add(list("9", "", map("a", 3)));
        for (int i = 0; i < 4; i++) {
            script.add(exchange -> answer(exchange, 504, "{\"kind\":\"Status\",\"message\":\"too large version\"}"));
        }
        script.add(list("5", "", map("b", 4)));

        follow("Removed a 3");

        assertThat(asked.stream().filter(question -> question.contains("watch=true")))
                .hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void aCacheFollowsWhileAWatchIsOpen() {
        script.add(list("9", ""));
        script.add(exchange -> answer(exchange, 500, "{}"));
        script.add(FollowingTest::silence);
        cache.start();

        TestServer.await("a watch", () -> cache.following(Duration.ofNanos(-1)));
        server.stop(0);
        TestServer.await("the end of the watch", () -> !cache.following(Duration.ofNanos(-1)));
        assertThat(cache.following(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void anEventThatCannotBeReadIsPassedOver() {
        script.add(list("9", ""));
        script.add(events(
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":[7]}}}\n",
                "rubbish\n",
                event("ADDED", map("b", 11))));

        follow("Added b 11");

        assertThat(told).containsExactly("Added b 11");
    }

    @Test
    void aServerThatAsksForAMomentIsWarnedAboutOnlyWhenTheMomentGetsLong() {
        var busy = new KubernetesClientException("storage is (re)initializing", 429, new Status());
        var refused = new KubernetesClientException("forbidden", 403, new Status());
        var forgotten = new KubernetesClientException("too old", 410, new Status());

        assertThat(IntStream.rangeClosed(1, 16).filter(n -> Follower.worthAWarning(n, busy)))
                .containsExactly(4, 8, 16);
        assertThat(IntStream.rangeClosed(1, 16).filter(n -> Follower.worthAWarning(n, refused)))
                .containsExactly(1, 2, 4, 8, 16);
        assertThat(IntStream.rangeClosed(1, 16).filter(n -> Follower.worthAWarning(n, new IOException("cut"))))
                .containsExactly(1, 2, 4, 8, 16);
        assertThat(IntStream.rangeClosed(1, 16).filter(n -> Follower.worthAWarning(n, forgotten)))
                .isEmpty();
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

    /** In which order it is asked is nobody's business, and for how many seconds is chance. */
    private static String question(URI uri) {
        return uri.getPath()
                + Arrays.stream(uri.getRawQuery().split("&"))
                        .filter(part -> !part.startsWith("timeoutSeconds="))
                        .sorted()
                        .collect(Collectors.joining("&", "?", ""));
    }

    private static String map(String name, int version) {
        return "{\"metadata\":{\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%d\"}}"
                .formatted(name, name, version);
    }

    private static String event(String type, String object) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object);
    }

    private static Consumer<HttpExchange> list(String version, String token, String... items) {
        return exchange -> answer(
                exchange,
                200,
                "{\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},\"items\":[%s]}"
                        .formatted(version, token, String.join(",", items)));
    }

    private static Consumer<HttpExchange> events(String... events) {
        return exchange -> answer(exchange, 200, String.join("", events));
    }

    /** A watch on which nothing happens. */
    private static void silence(HttpExchange exchange) {
        try {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static void answer(HttpExchange exchange, int code, String body) {
        try (exchange) {
            exchange.sendResponseHeaders(code, 0);
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
