package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpTest {
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

    private int up(String... arguments) {
        var all = new String[arguments.length + 1];
        all[0] = "up";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), all);
    }
}
