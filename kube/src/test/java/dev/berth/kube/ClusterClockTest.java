package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of a server's answers set the clock that all replicas go by. */
class ClusterClockTest {
    private static final Instant NOON = Instant.parse("2026-11-17T12:00:00Z");

    @TempDir
    private Path folder = Path.of(".");

    @Test
    void theHeadOfAWatchThatComesLateDoesNotSetItBack() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server));
            var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    users: [{name: u, user: {}}]
                    current-context: c
                    """.formatted(server.getLocalPort()));
            try (var cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                cluster.client().pods().list();

                for (int watch = 0; watch < 5; watch++) watch(cluster);

                assertThat(cluster.clock().instant()).isCloseTo(NOON, within(10, ChronoUnit.SECONDS));
            }
        }
    }

    private static void watch(Cluster cluster) throws InterruptedException {
        var seen = new CountDownLatch(1);
        try (var _ = cluster.client().pods().watch(new Watcher<Pod>() {
            @Override
            public void eventReceived(Action action, Pod pod) {
                seen.countDown();
            }

            @Override
            public void onClose(WatcherException problem) {}
        })) {
            assertThat(seen.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A list at noon; each watch with the time at which it was asked for, a minute earlier and more. */
    private static void serve(ServerSocket server) {
        for (int answers = 0; !server.isClosed(); answers++) {
            try (Socket connection = server.accept()) {
                var in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
                var first = String.valueOf(in.readLine());
                while (!String.valueOf(in.readLine()).isEmpty()) {}
                boolean watch = first.contains("watch=true");
                var body = watch
                        ? "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}}\n"
                        : "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":{},\"items\":[]}";
                var date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        (watch ? NOON.minusSeconds(60 + answers) : NOON).atZone(ZoneOffset.UTC));
                connection.getOutputStream().write("""
                        HTTP/1.1 200 OK\r
                        Content-Type: application/json\r
                        Date: %s\r
                        Connection: close\r
                        \r
                        %s""".formatted(date, body).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException gone) {
                // A watch that was closed while it was written, unless the test is over.
                if (server.isClosed()) return;
            }
        }
    }
}
