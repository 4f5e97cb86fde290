package dev.berth.e2e.pinner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Answer;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.web.tls.Authority;
import dev.berth.web.tls.Pem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every failure that docs/TROUBLESHOOTING.md describes happens here, and says what the page says. */
@OnBothServers
class TroubleshootingIT {
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String NAME = "pinner-trouble";

    private final String page = page();

    @TempDir
    private Path directory = Path.of(".");

    private static String page() {
        try {
            return Files.readString(
                    E2eFolder.path().toAbsolutePath().normalize().resolveSibling("docs/TROUBLESHOOTING.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Story
    @Timeout(240)
    void aPodThatStaysPendingSaysWhatThePageSays(Dialogue server) {
        var stage = PinnerStage.on(server);
        stage.node("trouble", "");
        for (var name : List.of("cordoned", "unready", "tainted")) {
            stage.node("trouble-" + name, name);
        }
        stage.node("trouble-twin1", "twin");
        stage.node("trouble-twin2", "twin");
        stage.patchNode("trouble-cordoned", "{\"spec\": {\"unschedulable\": true}}");
        stage.patchNode(
                "trouble-tainted",
                "{\"spec\": {\"taints\": [{\"key\": \"dedicated\", \"value\": \"gpu\", \"effect\": \"NoSchedule\"}]}}");
        stage.ready("trouble-unready", "False");
        try (var _ = stage.scheduler(NAME, server.cluster().kubeconfig())) {
            stage.replica("holder-0", NAME, "0=trouble:0");
            stage.awaitNode("holder-0");
            stage.replica("nomap-0", NAME, "");
            stage.replica("junk-0", NAME, "junk");
            stage.replica("deployment", NAME, "0=trouble:1");
            stage.replica("many-7", NAME, "0=trouble:1\n1=trouble:1");
            stage.replica("lost-0", NAME, "0=node9:0");
            stage.replica("twin-0", NAME, "0=twin:0");
            stage.replica("cordoned-0", NAME, "0=cordoned:0");
            stage.replica("unready-0", NAME, "0=unready:0");
            stage.replica("tainted-0", NAME, "0=tainted:0");
            stage.replica("large-0", NAME, "0=trouble:1", "64", "");
            stage.replica("far-0", NAME, "0=trouble:9");
            stage.replica("odd-0", NAME, "0=trouble:x");
            stage.replica("second-0", NAME, "0=trouble:0");
            for (var pod : List.of(
                    "nomap-0",
                    "junk-0",
                    "deployment",
                    "many-7",
                    "lost-0",
                    "twin-0",
                    "cordoned-0",
                    "unready-0",
                    "tainted-0",
                    "large-0",
                    "far-0",
                    "odd-0",
                    "second-0")) {
                var told = stage.awaitRefusal(pod, "Unschedulable: ").substring("Unschedulable: ".length());
                assertThat(page)
                        .contains("`" + told.replace(server.namespace() + "/holder-0", "the-first/holder-0") + "`");
                server.await(
                        "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                        _ -> stage.reasons(pod).contains("FailedScheduling"));
            }
            stage.replica("ignored-0", NAME, "0=trouble:1\nabc=trouble:1", "10m", "0");
            assertThat(stage.awaitNote("ignored-0", "MalformedMap"))
                    .isIn(page.lines().toList());
            assertThat(stage.awaitNote("ignored-0", "VisibleDevicesDiffer"))
                    .isIn(page.lines().toList());
        }
    }

    @Story
    @Timeout(240)
    void aSchedulerThatMayNotReadSaysSoAndIsNotReady(Dialogue server) throws IOException {
        if (server.cluster().token().isEmpty()) return; // the embedded server lets everybody do everything
        PinnerStage.on(server);
        var kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                Files.readString(server.cluster().kubeconfig())
                        .replace("user: {token: ", "user: {as: nobody, token: "));
        var words = "cache lost its connection and tries again: kind=Pod";
        assertThat(page).contains("\n" + words + "\n");
        var log = directory.resolve("forbidden.log");
        try (var _ = BerthProcess.start(
                log,
                words,
                "pinner",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--ledger=own",
                "--no-leader-elect",
                "--bind-address=127.0.0.1",
                "--health-port=0")) {
            assertThat(log).content().contains("pods is forbidden");
        }
    }

    @Story
    @Timeout(240)
    void aWebhookThatFailsSaysWhatThePageSays(Dialogue server) throws IOException {
        var authority = Authority.create("trouble", Instant.now(), Duration.ofDays(1));
        var another = Authority.create("another", Instant.now(), Duration.ofDays(1));
        var serving = authority.issueServing(List.of("127.0.0.1"), Instant.now(), Duration.ofDays(1));
        Files.writeString(directory.resolve("tls.crt"), Pem.text(serving.chain()));
        Files.writeString(directory.resolve("tls.key"), Pem.text(serving.key()));
        var log = directory.resolve("webhook.log");
        int port;
        try (var _ = webhook(log)) {
            port = port(log);
            configure(server, port, authority);
            var denied = awaitDenied(server, "denied the request");
            assertThat(page.lines())
                    .anyMatch(line -> !line.isBlank() && line.startsWith("admission") && denied.contains(line));

            configure(server, port, another);
            expectOnThePage("certificate signed by unknown authority", awaitDenied(server, "unknown authority"));
        }
        var refused = awaitDenied(server, "connection refused");
        expectOnThePage("failed calling webhook \"gpu-env-injector.gpu-scheduler.io\"", refused);
        expectOnThePage("connection refused", refused);
    }

    private GuardedProcess webhook(Path log) {
        return BerthProcess.start(
                log,
                "webhook    https://",
                "pinner",
                "webhook",
                "--name=" + NAME,
                "--strict",
                "--tls-cert=" + directory.resolve("tls.crt"),
                "--tls-key=" + directory.resolve("tls.key"),
                "--bind-address=127.0.0.1",
                "--webhook-port=0");
    }

    private static int port(Path log) throws IOException {
        var found =
                Pattern.compile("webhook    https://127.0.0.1:(\\d+)/mutate").matcher(Files.readString(log));
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static void configure(Dialogue server, int port, Authority trusted) {
        var name = "pinner-trouble-webhook";
        server.cleanUp(CONFIGURATIONS + "/" + name);
        server.quietly("DELETE", CONFIGURATIONS + "/" + name, "");
        var bundle = Base64.getEncoder()
                .encodeToString(Pem.text(trusted.certificate()).getBytes(StandardCharsets.UTF_8));
        var answer = server.quietly("POST", CONFIGURATIONS, """
                apiVersion: admissionregistration.k8s.io/v1
                kind: MutatingWebhookConfiguration
                metadata: {name: %s}
                webhooks:
                - name: gpu-env-injector.gpu-scheduler.io
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  failurePolicy: Fail
                  clientConfig: {url: "https://127.0.0.1:%d/mutate", caBundle: %s}
                  rules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
                  matchConditions: [{name: ours, expression: "object.spec.schedulerName == '%s'"}]
                """.formatted(name, port, bundle, NAME));
        assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    }

    /** The API server hears of a new configuration a moment later. */
    private static String awaitDenied(Dialogue server, String part) {
        var last = new Answer[1];
        Await.until(
                Duration.ofSeconds(60),
                () -> {
                    last[0] = server.quietly("POST", PinnerStage.PODS + "?dryRun=All", """
                            metadata: {name: tried-0, annotations: {gpu-scheduling-map: "0=trouble:0\\nabc=trouble:1"}}
                            spec: {schedulerName: %s, containers: [{name: main, image: none}]}
                            """.formatted(NAME));
                    return last[0].body().path("message").asText().contains(part);
                },
                () -> "the answer is " + last[0].text());
        return last[0].body().path("message").asText();
    }

    private void expectOnThePage(String line, String told) {
        assertThat(told).contains(line);
        assertThat(page).contains("\n" + line + "\n");
    }
}
