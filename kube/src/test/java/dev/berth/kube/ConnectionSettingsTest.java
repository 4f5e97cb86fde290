package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.ConnectionSettings.FromKubeconfig;
import dev.berth.kube.ConnectionSettings.InCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionSettingsTest {
    @TempDir
    Path home;

    @Test
    void theFlagWinsOverTheEnvironment() {
        var settings = ConnectionSettings.of(
                Optional.of(Path.of("mine")), Optional.of("there"), Map.of("KUBECONFIG", "other"), home);

        assertThat(settings).isEqualTo(new FromKubeconfig(List.of(Path.of("mine")), Optional.of("there")));
    }

    @Test
    void theEnvironmentMayListSeveralFiles() {
        var settings = ConnectionSettings.of(
                Optional.empty(), Optional.empty(), Map.of("KUBECONFIG", "a" + File.pathSeparator + "b"), home);

        assertThat(settings).isEqualTo(new FromKubeconfig(List.of(Path.of("a"), Path.of("b")), Optional.empty()));
    }

    @Test
    void theHomeDirectoryComesBeforeTheCluster() throws IOException {
        var inPod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        assertThat(ConnectionSettings.of(Optional.empty(), Optional.empty(), inPod, home))
                .isInstanceOf(InCluster.class);

        Files.createDirectories(home.resolve(".kube"));
        Files.writeString(home.resolve(".kube/config"), "");
        assertThat(ConnectionSettings.of(Optional.empty(), Optional.empty(), inPod, home))
                .isInstanceOf(FromKubeconfig.class);
    }

    @Test
    void withoutAnyTheMessageSaysWhatWasTried() {
        assertThatThrownBy(() -> ConnectionSettings.of(Optional.empty(), Optional.empty(), Map.of(), home))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("--kubeconfig is not given")
                .hasMessageContaining(home.resolve(".kube/config") + " does not exist");
    }

    @Test
    void aPodUsesItsServiceAccountAndReadsItsTokenAgain() throws IOException {
        Files.writeString(home.resolve("token"), "one");
        Files.writeString(home.resolve("ca.crt"), "ca");
        Files.writeString(home.resolve("namespace"), "berth-system\n");

        var config = new InCluster("fd00::1", "443", home).resolve();

        assertThat(config.getMasterUrl()).startsWith("https://[fd00::1]:443/");
        assertThat(config.getNamespace()).isEqualTo("berth-system");
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("one");
    }

    @Test
    void aPodWithoutATokenIsToldWhy() {
        assertThatThrownBy(() -> new InCluster("10.0.0.1", "443", home).resolve())
                .hasMessage(
                        "in-cluster: %s cannot be read; is automountServiceAccountToken off?", home.resolve("token"));
    }
}
