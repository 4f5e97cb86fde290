package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import dev.berth.kube.pod.Bindings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodsTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final TestServer server = new TestServer();
    private Cluster cluster;

    @BeforeEach
    void connect() {
        cluster = server.connect();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void podsAreFoundByNameUidAndNode() {
        var pod = TestServer.pod(cluster, "anna");
        try (var pods = new Pods(cluster)) {
            assertThat(pods.synced()).isFalse();
            pods.start();

            assertThat(pods.awaitSynced(SOON)).isTrue();
            assertThat(pods.find("default", "anna")).isPresent();
            assertThat(pods.byUid(pod.getMetadata().getUid())).isPresent();
            assertThat(pods.on(new NodeName("n1"))).isEmpty();
            new Bindings(cluster).bind("default", "anna", pod.getMetadata().getUid(), new NodeName("n1"), Map.of());
            TestServer.await(
                    "the binding is seen", () -> pods.on(new NodeName("n1")).size() == 1);
            assertThat(pods.all().getFirst().getMetadata().getManagedFields()).isEmpty();
        }
    }

    @Test
    void aCacheCatchesUpAfterTheServerDroppedTheWatch() {
        var wire = server.wire();
        List<String> heard = new CopyOnWriteArrayList<>();
        TestServer.pod(cluster, "stays");
        TestServer.pod(cluster, "goes");
        try (var pods = new Pods(server.connectOver(wire))) {
            pods.onChange(change -> heard.add(change.getClass().getSimpleName() + " "
                    + change.newest().getMetadata().getName()));
            pods.start();
            assertThat(pods.awaitSynced(SOON)).isTrue();

            wire.block();
            TestServer.pod(cluster, "comes");
            cluster.client()
                    .pods()
                    .inNamespace("default")
                    .withName("goes")
                    .withGracePeriod(0)
                    .delete();
            assertThat(pods.find("default", "goes"))
                    .as("kept while the server is away")
                    .isPresent();
            wire.unblock();

            TestServer.await(
                    "caught up",
                    () -> pods.find("default", "comes").isPresent()
                            && pods.find("default", "goes").isEmpty());
            TestServer.await(
                    "told so",
                    () -> heard.containsAll(List.of("Added stays", "Added goes", "Added comes", "Removed goes")));
        }
    }

    @Test
    void aCacheThatStartsBeforeTheServerFillsWhenItComes() {
        var wire = server.wire();
        wire.block();
        TestServer.pod(cluster, "early");
        try (var pods = new Pods(server.connectOver(wire))) {
            pods.start();
            assertThat(pods.awaitSynced(Duration.ofMillis(200))).isFalse();

            wire.unblock();

            assertThat(pods.awaitSynced(SOON)).isTrue();
            assertThat(pods.all()).hasSize(1);
        }
    }

    @Test
    void aListenerThatFailsDoesNotStopTheOthers() {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (var pods = new Pods(cluster)) {
            pods.onChange(_ -> {
                throw new IllegalStateException("a bug in a listener");
            });
            pods.onChange(change -> heard.add(change.newest().getMetadata().getName()));
            pods.start();
            TestServer.pod(cluster, "anna");

            TestServer.await("heard", () -> heard.contains("anna"));
        }
    }
}
