package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.api.Api;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpTest {
    private static final Api.Resource WEBHOOKS =
            new Api.Resource("admissionregistration.k8s.io", "v1", "mutatingwebhookconfigurations");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory = Path.of(".");

    @Test
    void aDoorThatThereIsNotIsNamedWithThoseThatThereAre() {
        assertThat(up("--doors", "assigner,window")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--doors takes all, none, or some of assigner, extender, advisor, pinner, claims, scheduler, not 'window'");
    }

    @Test
    void moreNodesThanASimulationHoldsAreRefused() {
        assertThat(up("--nodes", "10001")).isEqualTo(2);
        assertThat(err.toString()).contains("--nodes takes 0 to 10000, not 10001");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--context=mine", "--webhook-address=10.0.0.7", "--default-scheduler"})
    void whatIsAboutAClusterOfYoursNeedsOne(String option) {
        assertThat(up(option)).isEqualTo(2);
        assertThat(err.toString())
                .contains(option.replaceFirst("=.*", "") + " is about a cluster of yours: give it with --kubeconfig");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nodes=4", "--gpus=8", "--port=6443", "--write-kubeconfig=other"})
    void whatIsAboutAClusterOfItsOwnIsRefusedOnYours(String option) {
        assertThat(up("--kubeconfig", "mine", option)).isEqualTo(2);
        assertThat(err.toString())
                .contains(option.replaceFirst("=.*", "") + " is about a cluster of berth's own, not for --kubeconfig");
    }

    @Test
    void anApiServerElsewhereNeedsAnAddressForTheWebhooks() throws IOException {
        var kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: far
                contexts: [{name: far, context: {cluster: far, user: me}}]
                clusters: [{name: far, cluster: {server: "http://192.0.2.1:6443"}}]
                users: [{name: me, user: {}}]
                """);

        assertThat(up("--kubeconfig", kubeconfig.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "--webhook-address is needed: the API server at 192.0.2.1 cannot reach 127.0.0.1 of this machine");
    }

    @Test
    @Timeout(60)
    void aConsolePortThatIsTakenLeavesNoWebhookBehind() throws IOException {
        try (var cluster = cluster();
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = Integer.toString(taken.getLocalPort());

            assertThat(up("--kubeconfig", kubeconfig(cluster), "--doors", "assigner", "--console-port", port))
                    .isEqualTo(1);

            assertThat(err.toString()).contains("listener console cannot listen on 127.0.0.1:" + port);
            assertThat(cluster.api().list(WEBHOOKS, "", Map.of())).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void aDoorThatCannotBeOpenedLeavesNoWebhookOfThoseBeforeIt() throws IOException {
        var state = Files.createDirectories(directory.resolve("state"));
        Files.createDirectory(state.resolve("advisor.db"));
        try (var cluster = cluster()) {
            assertThat(up(
                            "--kubeconfig",
                            kubeconfig(cluster),
                            "--doors",
                            "assigner,advisor",
                            "--data-dir",
                            state.toString()))
                    .isEqualTo(1);

            assertThat(err.toString()).contains("advisor.db");
            assertThat(cluster.api().list(WEBHOOKS, "", Map.of())).isEmpty();
        }
    }

    private static OwnCluster cluster() {
        return OwnCluster.start(new OwnCluster.Settings(0, Optional.empty(), 1, 8, true), InstantSource.system());
    }

    private String kubeconfig(OwnCluster cluster) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), cluster.kubeconfig())
                .toString();
    }

    private int up(String... arguments) {
        var all = new String[arguments.length + 1];
        all[0] = "up";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), all);
    }
}
