package dev.berth.e2e.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every door at its most talkative, while it works and while it is turned away: nothing that it writes, to its log or
 * to those who ask for its metrics, holds a token, a password or a private key.
 */
class SecretsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TRACE = "--log-level=trace";

    private static final String TOKEN = "kubeconfig-5up3r53cr3t";
    private static final String FINALIZE = "finalize-5up3r53cr3t";
    private static final String READER = "reader-5up3r53cr3t";
    private static final String STRANGER = "stranger-5up3r53cr3t";
    private static final String PASSWORD = "database-5up3r53cr3t";

    @TempDir
    private Path folder = Path.of(".");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Path> logs = new LinkedHashMap<>();
    private final List<GuardedProcess> running = new ArrayList<>();
    private final Map<String, String> said = new LinkedHashMap<>();

    @Test
    @Timeout(300)
    void areInNothingThatADoorWrites() throws Exception {
        try (var server = new TokenServer(folder, log("apiserver"), TOKEN);
                var proxy = FaultProxy.start(server)) {
            int assigner = assigner(proxy);
            int console = console(proxy);
            var doors = List.of(
                    assigner, console, extender(proxy), pinner(proxy), claims(proxy), advisorWebhook(proxy), agent());
            int webhook = pinnerWebhook(proxy);
            var key = keptKey(server);
            assertThat(webhook).isPositive();
            for (var door : doors) Await.until(PATIENCE, () -> get(door, "/metrics", READER) == 200, this::lastWords);
            assertThat(get(console, "/api/rows", READER)).isEqualTo(200);
            assertThat(get(console, "/api/rows", STRANGER)).isEqualTo(401);
            assertThat(post(assigner, "/finalize", FINALIZE)).isNotEqualTo(401);
            assertThat(post(assigner, "/finalize", STRANGER)).isEqualTo(401);

            proxy.plan(request -> new Fault.Refuse(401));
            proxy.cutWatches();

            for (var name : List.of("assigner", "extender", "pinner", "claims", "console")) {
                Await.until(
                        PATIENCE,
                        () -> text(requireNonNull(logs.get(name))).contains("401"),
                        () -> name + " has not noticed");
            }
            for (var door : doors) get(door, "/metrics", READER);
            askOnce("a kubeconfig that is broken where the token is", broken());
            askOnce("a kubeconfig with a password", withPassword(server.address()));

            assertNothingIsTold(List.of(
                    TOKEN,
                    FINALIZE,
                    READER,
                    STRANGER,
                    PASSWORD,
                    Base64.getEncoder().encodeToString(("admin:" + PASSWORD).getBytes(UTF_8)),
                    key));
        } finally {
            running.forEach(GuardedProcess::close);
            http.shutdownNow();
        }
    }

    private void assertNothingIsTold(List<String> secrets) {
        logs.forEach((name, log) -> said.put("the log of " + name, text(log)));
        assertThat(said).hasSizeGreaterThan(15);
        said.forEach((who, words) -> {
            for (var secret : secrets) {
                assertThat(words.lines().filter(line -> line.contains(secret)).findFirst())
                        .as("%s tells %s", who, secret)
                        .isEmpty();
            }
        });
    }

    private int assigner(FaultProxy proxy) throws IOException {
        int page = Ports.free();
        start(
                "assigner",
                Map.of(),
                "assigner",
                "--kubernetes-url=" + address(proxy),
                "--access-token=" + Files.writeString(folder.resolve("token"), TOKEN + "\n"),
                "--finalize-token=" + Files.writeString(folder.resolve("finalize"), FINALIZE + "\n"),
                "--console",
                "--console-token-file=" + Files.writeString(folder.resolve("page"), READER + "\n"),
                "--bind-address=127.0.0.1",
                "--insecure-http",
                "--port=" + Ports.free(),
                "--ui-port=" + page);
        return page;
    }

    private int console(FaultProxy proxy) throws IOException {
        return atPort(
                "console",
                port -> "--port=" + port,
                "console",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--token-file=" + Files.writeString(folder.resolve("reader"), READER + "\n"));
    }

    private int extender(FaultProxy proxy) {
        return atPort(
                "extender",
                port -> "--address=127.0.0.1:" + port,
                "extender",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--pprofAddress=127.0.0.1:0",
                "--v=10");
    }

    private int pinner(FaultProxy proxy) {
        return atPort(
                "pinner",
                port -> "--health-port=" + port,
                "pinner",
                "scheduler",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--bind-address=127.0.0.1");
    }

    /** Its certificate's key goes through the API server, into a Secret. */
    private int pinnerWebhook(FaultProxy proxy) {
        return atPort(
                "pinner webhook",
                port -> "--webhook-port=" + port,
                "pinner",
                "webhook",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--bind-address=127.0.0.1",
                "--self-signed",
                "--service=pinner",
                "--service-namespace=default");
    }

    private int claims(FaultProxy proxy) {
        return atPort(
                "claims",
                port -> "--port=" + port,
                "claims",
                "scheduler",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--bind-address=127.0.0.1",
                "--lease-namespace=default");
    }

    private int advisorWebhook(FaultProxy proxy) {
        return atPort(
                "advisor webhook",
                port -> "--webhook-port=" + port,
                "advisor",
                "webhook",
                "--kubeconfig=" + proxy.kubeconfig(),
                "--bind-address=127.0.0.1",
                "--insecure-http");
    }

    /** Nobody listens where its database is said to be. */
    private int agent() {
        int port = Ports.free();
        var url = "postgres://berth:%s@127.0.0.1:%d/postgres".formatted(PASSWORD, Ports.free());
        start(
                "agent",
                Map.of("SCHEDULER_HOST", "127.0.0.1", "SCHEDULER_STORE_URL", url),
                "advisor",
                "agent",
                "--port=" + port);
        var wrong = log("agent with a wrong address");
        var ended = GuardedProcess.start(
                BerthProcess.commandLine(
                        Map.of("SCHEDULER_STORE_URL", "postgres://berth:%s@host:port/x".formatted(PASSWORD)),
                        "advisor",
                        "agent",
                        TRACE),
                wrong);
        running.add(ended);
        Await.until(PATIENCE, () -> !ended.alive(), ended::lastWords);
        return port;
    }

    private interface PortFlag {
        String of(int port);
    }

    private int atPort(String name, PortFlag flag, String... arguments) {
        int port = Ports.free();
        var all = new ArrayList<>(List.of(arguments));
        all.add(flag.of(port));
        start(name, Map.of(), all.toArray(String[]::new));
        return port;
    }

    private void start(String name, Map<String, String> environment, String... arguments) {
        var all = new ArrayList<>(List.of(arguments));
        if (!all.contains("--v=10")) all.add(TRACE);
        running.add(BerthProcess.start(log(name), environment, "listening", all.toArray(String[]::new)));
    }

    private Path log(String name) {
        var log = E2eFolder.target("secrets").resolve(name.replace(' ', '-') + ".log");
        logs.put(name, log);
        return log;
    }

    /** A command that asks the API server once, or tries to. */
    private void askOnce(String why, String kubeconfig) throws IOException {
        var file = Files.writeString(folder.resolve("kubeconfig-" + said.size()), kubeconfig);
        var answer = BerthProcess.run("explain", "pod", "nobody", "--kubeconfig=" + file, TRACE);
        assertThat(answer.exit()).as(why).isNotZero();
        said.put(why, answer.out() + answer.err());
    }

    private static String broken() {
        return TokenServer.kubeconfig(URI.create("http://127.0.0.1:1"), "token: \"" + TOKEN);
    }

    private static String withPassword(URI server) {
        return TokenServer.kubeconfig(server, "{username: admin, password: %s}".formatted(PASSWORD))
                .replace("user:\n    {", "user: {");
    }

    /** The middle of the private key that the webhook keeps in its Secret: a line of it would do. */
    private static String keptKey(TokenServer server) {
        try (var client = server.client("default")) {
            Await.until(PATIENCE, () -> secret(client).isPresent(), () -> "no Secret is kept");
            var pem = new String(
                    Base64.getDecoder()
                            .decode(secret(client).orElseThrow().getData().get("tls.key")),
                    UTF_8);
            return pem.lines().toList().get(1);
        }
    }

    private static Optional<Secret> secret(io.fabric8.kubernetes.client.KubernetesClient client) {
        return Optional.ofNullable(client.secrets()
                        .inNamespace("default")
                        .withName("pinner-tls")
                        .get())
                .filter(kept -> kept.getData() != null && kept.getData().containsKey("tls.key"));
    }

    private static String address(FaultProxy proxy) {
        var server = Pattern.compile("server: \"([^\"]+)\"").matcher(text(proxy.kubeconfig()));
        if (!server.find()) throw new AssertionError("no address in " + proxy.kubeconfig());
        return server.group(1);
    }

    private int get(int port, String path, String token) {
        return ask("GET", port, path, token);
    }

    private int post(int port, String path, String token) {
        return ask("POST", port, path, token);
    }

    private int ask(String method, int port, String path, String token) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(Duration.ofSeconds(10))
                .method(method, HttpRequest.BodyPublishers.noBody());
        request.header("Authorization", "Bearer " + token);
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            said.put("%s %s of %d, %d".formatted(method, path, port, said.size()), answer.body());
            return answer.statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private String lastWords() {
        return String.join(
                "\n\n", running.stream().map(GuardedProcess::lastWords).toList());
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
