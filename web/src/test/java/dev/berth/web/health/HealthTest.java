package dev.berth.web.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final Health health = new Health();
    private final Metrics metrics = new Metrics();
    private final HttpServer server = HttpServer.start(List.of(new Listener(
            "health", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, routes -> {
                metrics.observe(routes);
                health.addTo(routes);
                metrics.addTo(routes);
                routes.get("/pods/{name}", (_, response) -> response.send("a pod"));
            })));

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void allIsWellWithoutChecks() throws Exception {
        for (var path : List.of("/healthz", "/livez", "/readyz")) {
            assertThat(get(path).body()).isEqualTo("ok");
        }
    }

    @Test
    void aFailedCheckOfReadinessIsNamedAndLeavesLifeAlone() throws Exception {
        health.ready("cache-synced", () -> Optional.of("pods are not listed yet"));

        var response = get("/readyz");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("readyz failed: cache-synced (pods are not listed yet)");
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(health.isReady()).isFalse();
    }

    @Test
    void aFailedCheckOfLifeFailsAllThree() throws Exception {
        health.live("loop", () -> Optional.of("stuck"));

        for (var path : List.of("/healthz", "/livez", "/readyz")) {
            assertThat(get(path).statusCode()).isEqualTo(503);
        }
    }

    @Test
    void verboseListsEveryCheckAsKubernetesDoes() throws Exception {
        health.live("loop", Optional::empty).ready("cache-synced", () -> Optional.of("not yet"));

        var response = get("/readyz?verbose");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body())
                .isEqualTo("[+]ping ok\n[+]loop ok\n[-]cache-synced failed: not yet\nreadyz check failed\n");
    }

    @Test
    void aCheckCanBeLeftOut() throws Exception {
        health.ready("cache-synced", () -> Optional.of("not yet"));

        assertThat(get("/readyz?exclude=cache-synced").statusCode()).isEqualTo(200);
    }

    @Test
    void aCheckThatThrowsFails() throws Exception {
        health.ready("odd", () -> {
            throw new IllegalStateException("secret");
        });

        assertThat(get("/readyz").body()).contains("odd").doesNotContain("secret");
    }

    @Test
    void aStoppingServerIsNotReady() throws Exception {
        health.stopsWith(server);
        var draining = Thread.ofVirtual().start(() -> server.drain(Duration.ofSeconds(10)));
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!server.draining()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.sleep(2);
        }

        assertThat(get("/readyz").body()).contains("shutdown (the server is stopping)");
        draining.interrupt();
        assertThat(draining.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void metricsTellWhichChecksPassInBothHalvesOfAProcess() throws Exception {
        metrics.shows(health.ready("cluster", Optional::empty));
        metrics.shows(
                new Health().ready("cluster", () -> Optional.of("not yet")).ready("agent", Optional::empty));

        assertThat(get("/metrics").body())
                .contains("berth_ready{check=\"cluster\"} 0.0\n")
                .contains("berth_ready{check=\"agent\"} 1.0\n");
    }

    @Test
    void aMetricIsDescribedBeforeItHasAValue() {
        new AttemptMetrics(metrics.registry(), "test", "Attempts.", "Time.");

        assertThat(metrics.described())
                .contains(new MetricDescription(
                        "berth_schedule_attempts_total",
                        "counter",
                        new TreeSet<>(Set.of("door", "result")),
                        "Attempts."));
    }

    @Test
    void metricsComeAsPrometheusTextByDefault() throws Exception {
        var response = get("/metrics");

        assertThat(response.headers().firstValue("content-type"))
                .get()
                .asString()
                .startsWith("text/plain; version=0.0.4");
        assertThat(response.body())
                .contains(
                        "process_cpu_seconds_total ",
                        "process_resident_memory_bytes ",
                        "process_start_time_seconds ",
                        "jvm_memory_used_bytes{area=\"heap\"}",
                        "jvm_threads_current ");
    }

    @Test
    void metricsComeAsOpenMetricsWhenAskedFor() throws Exception {
        var response = client.send(
                request("/metrics")
                        .header("Accept", "application/openmetrics-text; version=1.0.0")
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(response.headers().firstValue("content-type"))
                .get()
                .asString()
                .startsWith("application/openmetrics-text");
        assertThat(response.body()).endsWith("# EOF\n");
    }

    @Test
    void requestsAreCountedByPatternNotByPath() throws Exception {
        get("/pods/a");
        get("/pods/b");
        get("/nowhere/c");

        var lines = List.of(
                "berth_http_requests_total{code=\"200\",route=\"/pods/{name}\"} 2.0",
                "berth_http_requests_total{code=\"404\",route=\"none\"} 1.0",
                "berth_http_request_duration_seconds_count{route=\"/pods/{name}\"} 2");
        assertThat(metricsWith(lines)).contains(lines);
    }

    /** A request is counted once its answer is sent, which its reader may know before. */
    private String metricsWith(List<String> lines) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (true) {
            var body = get("/metrics").body();
            if (lines.stream().allMatch(body::contains) || System.nanoTime() > deadline) return body;
            Thread.sleep(10);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("health") + path))
                .timeout(Duration.ofSeconds(10));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }
}
