package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.OwnNodeLedgers;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An extender whose API server does not answer: it says that it knows nothing, and guesses nothing. */
class NotReadyTest {
    private static final String GPU_POD = """
            {"Pod":{"metadata":{"name":"p","namespace":"default","uid":"u"},"spec":{"containers":[{"name":"c","resources":{"limits":{"tencent.com/vcuda-core":"100"}}}]}},
             "Nodes":null,"NodeNames":["n"]}""";

    @Test
    void beforeItsCachesAreFilledItAnswersWithAPlainSentence() throws Exception {
        var settings = new ConnectionSettings.At(URI.create("http://127.0.0.1:" + unusedPort()));
        try (var cluster = Cluster.connect(settings);
                var extender = Extender.start(
                        cluster,
                        count -> new OwnNodeLedgers(),
                        ExtenderSettings.DEFAULT,
                        "test",
                        "berth-test",
                        new Metrics(),
                        InstantSource.system());
                var server = HttpServer.start(List.of(new Listener(
                        "extender", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, extender::routes)))) {
            var reply = Stage.ask(server, "/scheduler/predicates", GPU_POD);
            assertThat(reply.path("Error").asText())
                    .isEqualTo("the extender has just started: the nodes are not all known yet, please retry later");
            assertThat(reply.path("NodeNames").isNull()).isTrue();

            var volcano = "{\"task\":" + GPU_POD + ",\"node\":{\"Name\":\"n\"}}";
            assertThat(Stage.ask(server, "/scheduler/vpredicates", volcano)
                            .path("code")
                            .asInt())
                    .isEqualTo(1);
            var plain = "{\"Pod\":{\"metadata\":{\"name\":\"p\"}},\"Nodes\":null,\"NodeNames\":[\"n\"]}";
            assertThat(Stage.chosen(Stage.ask(server, "/scheduler/predicates", plain)))
                    .isEqualTo("n");
            assertThat(extender.health().isReady()).isFalse();
        }
    }

    private static int unusedPort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
