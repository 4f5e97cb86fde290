package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
    private static final String GOOD = """
            apiVersion: v1
            kind: Config
            current-context: one
            contexts:
            - {name: one, context: {cluster: here, user: me, namespace: games}}
            - {name: two, context: {cluster: there}}
            clusters:
            - {name: here, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: Q0E=}}
            - {name: there, cluster: {server: "http://127.0.0.1:55441"}}
            users:
            - {name: me, user: {token: secret}}
            """;

    @TempDir
    Path directory;

    @Test
    void theCurrentContextIsTaken() {
        var config = read(GOOD, null);

        assertThat(config.getMasterUrl()).startsWith("https://127.0.0.1:6443");
        assertThat(config.getNamespace()).isEqualTo("games");
        assertThat(config.getOauthToken()).isEqualTo("secret");
        assertThat(config.getCaCertData()).isEqualTo("Q0E=");
    }

    @Test
    void aNamedContextIsTakenAndPlainHttpStaysPlain() {
        var config = read(GOOD, "two");

        assertThat(config.getMasterUrl()).startsWith("http://127.0.0.1:55441");
        assertThat(config.getOauthToken()).isNull();
    }

    @Test
    void aTokenFileIsReadAgainWhenItChanges() throws IOException {
        var token = Files.writeString(directory.resolve("token"), "first\n");
        var config = read(GOOD.replace("token: secret", "tokenFile: token"), null);

        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(token, "second\n");
        Files.setLastModifiedTime(token, FileTime.fromMillis(1));
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
        Files.delete(token);
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
    }

    @Test
    void ofSeveralFilesTheFirstWins() {
        var first = write(
                "first", "current-context: one\nclusters:\n- {name: here, cluster: {server: \"https://10.0.0.1\"}}\n");
        var second = write("second", GOOD);

        var config = Kubeconfig.read(List.of(first, directory.resolve("absent"), second), Optional.empty());

        assertThat(config.getMasterUrl()).startsWith("https://10.0.0.1");
        assertThat(config.getOauthToken()).isEqualTo("secret");
    }

    @Test
    void whatIsWrongIsNamedWithItsFile() {
        complains(GOOD.replace("current-context: one", ""), "has no current-context; name one with --context");
        complains(
                GOOD.replace("current-context: one", "current-context: three"),
                "has no context 'three' (it has: one, two)");
        complains(GOOD.replace("cluster: here", "cluster: nowhere"), "names cluster 'nowhere', which is not in it");
        complains(GOOD.replace("user: me,", "user: you,"), "names user 'you', who is not in it");
        complains(GOOD.replace("https://127.0.0.1:6443", "127.0.0.1:6443"), "which is not an http or https address");
        complains(
                GOOD.replace("token: secret", "client-key: key.pem"),
                "client-key of user 'me' is the file " + directory.resolve("key.pem"));
        complains(
                GOOD.replace("{token: secret}", "{exec: login}"),
                "has a field that is not what a kubeconfig has there");
        complains("a: [", "is not YAML: ");
        complains("", "is empty or not a mapping");
        assertThatThrownBy(() -> Kubeconfig.read(List.of(directory.resolve("absent")), Optional.empty()))
                .hasMessage("kubeconfig %s does not exist", directory.resolve("absent"));
    }

    @Test
    void aUserWhoLogsInByAProgramIsLeftToFabric8() throws IOException {
        var program = write("login", """
                #!/bin/sh
                echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-program"}}'
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();

        var config = read(
                GOOD.replace(
                        "{token: secret}",
                        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, interactiveMode: Never}}"),
                null);

        assertThat(config.getMasterUrl()).startsWith("https://127.0.0.1:6443");
        assertThat(List.of(String.valueOf(config.getOauthToken()), String.valueOf(config.getAutoOAuthToken())))
                .contains("from-program");
    }

    private void complains(String text, String why) {
        assertThatThrownBy(() -> read(text, null))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("kubeconfig " + directory.resolve("config"))
                .hasMessageContaining(why);
    }

    private Config read(String text, @Nullable String context) {
        return Kubeconfig.read(List.of(write("config", text)), Optional.ofNullable(context));
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
