package dev.berth.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.explain.PlainPods;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApiServer api = ApiServer.start(ApiServerSettings.defaults().withPort(0));
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder = Path.of(".");

    private Cluster cluster;
    private Lookout lookout;
    private Console console;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
        cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()));
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("n1")
                        .endMetadata()
                        .withNewStatus()
                        .addToCapacity("nvidia.com/gpu", new Quantity("2"))
                        .endStatus()
                        .build())
                .create();
        lookout = Lookout.start(cluster, List.of(PlainPods::new));
        console = Console.start(lookout, Beliefs.NONE, Guard.OPEN, InstantSource.system());
        server = HttpServer.start(List.of(new Listener(
                "test",
                "127.0.0.1",
                0,
                Optional.empty(),
                Limits.DEFAULT,
                routes -> console.routes(routes, "/console"))));
    }

    @AfterEach
    void stop() {
        console.close();
        server.close();
        lookout.close();
        cluster.close();
        api.close();
        http.close();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        var address = URI.create("http://127.0.0.1:%d%s".formatted(server.port("test"), path));
        return http.send(HttpRequest.newBuilder(address).timeout(SOON).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void underAPrefixThePageIsFoundInItsFolder() throws Exception {
        var moved = get("/console");
        assertThat(moved.statusCode()).isEqualTo(302);
        assertThat(moved.headers().firstValue("Location")).contains("/console/");

        var page = get("/console/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'");
        for (var name : List.of("console.css", "console.js", "pages.js", "rows.js", "plot.js", "console.svg")) {
            assertThat(get("/console/" + name).statusCode()).as(name).isEqualTo(200);
        }
    }

    @Test
    void theRowsTellOfEveryNodeWithDevices() throws Exception {
        long deadline = System.nanoTime() + SOON.toNanos();
        var rows = get("/console/api/rows").body();
        while (!rows.contains("node/n1") && System.nanoTime() < deadline) {
            rows = get("/console/api/rows").body();
        }

        assertThat(rows).contains("\"node/n1\":{\"name\":\"n1\"").contains("\"waiting\":0");
        assertThat(get("/console/api/trends").body()).contains("\"samples\":[{");
    }

    @Test
    void withoutAnAdvisorThereIsNothingToBelieve() throws Exception {
        assertThat(get("/console/api/beliefs").body()).isEqualTo("{\"beliefs\":[]}");
    }

    @Test
    void whatIsNotThereOrNotAskedForProperlyIsSaidPlainly() throws Exception {
        var nobody = get("/console/api/pod?namespace=default&name=nobody");
        assertThat(nobody.statusCode()).isEqualTo(404);
        assertThat(nobody.body()).contains("there is no pod default/nobody");

        var incomplete = get("/console/api/device?node=n1");
        assertThat(incomplete.statusCode()).isEqualTo(400);
        assertThat(incomplete.body()).contains("the query lacks id");
    }
}
