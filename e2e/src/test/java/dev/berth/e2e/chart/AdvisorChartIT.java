package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The advisor's charts on paper: what they render to, and which values they refuse. */
class AdvisorChartIT {
    private static final Path WEBHOOK = Helm.chart("scheduler-webhook");
    private static final Path AGENT = Helm.chart("scheduler-agent");

    private final Helm helm = ProgramsOrSkip.helm();

    static List<Path> valuesFiles() throws IOException {
        return Stream.concat(valuesOf(WEBHOOK), valuesOf(AGENT)).toList();
    }

    private static Stream<Path> valuesOf(Path chart) throws IOException {
        try (var files = Files.list(chart.resolve("ci"))) {
            return Stream.concat(Stream.of(chart.resolve("values.yaml")), files.sorted().toList().stream());
        }
    }

    @ParameterizedTest
    @MethodSource("valuesFiles")
    void theyAreWellFormedWithEveryKindOfValues(Path values) {
        var chart = values.startsWith(WEBHOOK) ? WEBHOOK : AGENT;
        helm.run("lint", "--strict", chart.toString(), "--values", values.toString());

        assertThat(Rendered.of(helm, chart, "--values", values.toString()).kinds())
                .contains("Service", "ServiceAccount", "Deployment", "Pod");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicaCount=many",
                "webhook.schedulerTimeoutSeconds=10",
                "webhook.timeoutSeconds=5",
                "webhook.timeoutSeconds=31",
                "webhook.schedulerUrl=scheduler-agent",
                "webhook.failurePolicy=Maybe",
                "webhook.priorityBuckets[0].minScore=high",
                "ports.webhook=443",
                "image.repository="
            })
    void theWebhooksSchemaRefuses(String wrong) {
        refuses(WEBHOOK, wrong, "values don't meet the specifications of the schema");
    }

    @ParameterizedTest
    @ValueSource(strings = {"config.model=oracle", "config.tauSquared=0", "store.url=mysql://x", "replicas=2"})
    void theAgentsSchemaRefuses(String wrong) {
        refuses(AGENT, wrong, "values don't meet the specifications of the schema");
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicaCount=2", "autoscaling.enabled=true"})
    void agentsThatDoNotShareWhatTheyLearnStayAlone(String several) {
        refuses(AGENT, several, "more than one replica needs store.url or store.existingSecret");
    }

    private void refuses(Path chart, String wrong, String words) {
        var outcome = helm.attempt("template", chart.toString(), "--kube-version", "1.36.3", "--set", wrong);

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains(words);
    }

    @Test
    void theDocumentsNamesAndDefaultsAreKept() {
        var rendered = Rendered.named(helm, WEBHOOK, "scheduler-webhook", "scheduler");

        assertThat(rendered.only("Deployment").at("/metadata/name").asText()).isEqualTo("scheduler-webhook");
        assertThat(rendered.only("Deployment").at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(rendered.only("Secret").at("/metadata/name").asText()).isEqualTo("scheduler-webhook-tls");
        assertThat(rendered.only("Service").at("/spec/ports").findValuesAsText("port"))
                .containsExactly("443", "8443");
        assertThat(rendered.only("ClusterRole").at("/metadata/name").asText()).isEqualTo("scheduler-webhook");
        var configuration = rendered.only("MutatingWebhookConfiguration");
        assertThat(configuration.at("/metadata/name").asText()).isEqualTo("scheduler-webhook");
        var webhook = configuration.at("/webhooks/0");
        assertThat(webhook.path("name").asText()).isEqualTo("gpu-scheduler.radix.ai");
        assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(webhook.path("sideEffects").asText()).isEqualTo("None");
        assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(10);
        assertThat(webhook.at("/namespaceSelector/matchLabels/scheduler.radix.ai~1enabled")
                        .asText())
                .isEqualTo("true");
        assertThat(webhook.path("rules")).hasSize(2);
        var environment = rendered.only("Deployment").at("/spec/template/spec/containers/0/env");
        assertThat(environment.findValuesAsText("value"))
                .containsExactly(
                        "http://scheduler-agent:8080",
                        "5",
                        "true",
                        "[{\"minScore\":90,\"priorityClassName\":\"gpu-ultra\"},{\"minScore\":70,\"priorityClassName\":\"gpu-high\"},"
                                + "{\"minScore\":50,\"priorityClassName\":\"gpu-medium\"},{\"minScore\":0,\"priorityClassName\":\"gpu-default\"}]");
    }

    @Test
    void theFourPriorityClassesAreInstalled() {
        assertThat(Rendered.of(helm, WEBHOOK)
                        .all("PriorityClass")
                        .map(each -> each.at("/metadata/name").asText() + "="
                                + each.path("value").asInt()))
                .containsExactlyInAnyOrder("gpu-ultra=1000", "gpu-high=750", "gpu-medium=500", "gpu-default=250");
    }

    @Test
    void theWebhookMayDoExactlyWhatItDoes() {
        var withOwnCertificate = rules(Rendered.of(helm, WEBHOOK));
        var withAnothers = rules(Rendered.of(helm, WEBHOOK, "--set=tls.certManager.enabled=true"));

        var reading = List.of(
                "[pods, nodes] [get, list, watch]", "[priorityclasses] [get, list, watch]", "[events] [create]");
        assertThat(withAnothers).isEqualTo(reading);
        assertThat(withOwnCertificate)
                .containsAll(reading)
                .contains(
                        "[mutatingwebhookconfigurations] [get, update]",
                        "[secrets] [get, update]",
                        "[leases] [get, update]")
                .hasSize(6);
        assertThat(rules(Rendered.of(helm, AGENT))).containsExactly("[pods, nodes] [get, list, watch]");
        assertThat(rules(Rendered.of(helm, AGENT, "--set=observe.enabled=false")))
                .isEmpty();
    }

    private static List<String> rules(Rendered rendered) {
        return Stream.concat(rendered.all("ClusterRole"), rendered.all("Role"))
                .flatMap(role -> role.path("rules").valueStream())
                .map(rule -> words(rule.path("resources")) + " " + words(rule.path("verbs")))
                .toList();
    }

    private static List<String> words(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    @Test
    void whoMakesTheCertificateIsTrusted() {
        var manager =
                Rendered.named(helm, WEBHOOK, "scheduler-webhook", "scheduler", "--set=tls.certManager.enabled=true");
        assertThat(manager.only("Certificate").at("/spec/issuerRef/name").asText())
                .isEqualTo("selfsigned-cluster-issuer");
        assertThat(manager.only("MutatingWebhookConfiguration")
                        .at("/metadata/annotations/cert-manager.io~1inject-ca-from")
                        .asText())
                .isEqualTo("scheduler/scheduler-webhook-tls");

        var own = Rendered.of(
                helm,
                WEBHOOK,
                "--values",
                WEBHOOK.resolve("ci/existing-secret.yaml").toString());
        assertThat(own.only("MutatingWebhookConfiguration")
                        .at("/webhooks/0/clientConfig/caBundle")
                        .asText())
                .startsWith("LS0t");
        assertThat(own.all("Certificate")).isEmpty();
        assertThat(own.all("Secret")).isEmpty();
    }

    @Test
    void theNetworkIsOpenForTheApiServerTheAgentAndTheDnsOnly() {
        var policy = Rendered.of(helm, WEBHOOK, "--set=networkPolicy.apiServerCidr=10.0.0.1/32")
                .only("NetworkPolicy")
                .path("spec");

        assertThat(policy.at("/ingress/0/from/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
                        .asText())
                .isEqualTo("kube-system");
        assertThat(policy.at("/ingress/0/from/1/ipBlock/cidr").asText()).isEqualTo("10.0.0.1/32");
        assertThat(policy.at("/ingress/0/ports/0/port").asInt()).isEqualTo(8443);
        assertThat(policy.path("egress").findValuesAsText("port")).containsExactly("8080", "53", "53", "443", "6443");
    }

    @Test
    void whatTheAgentLearnsIsKept() {
        var file = Rendered.named(helm, AGENT, "scheduler-agent", "scheduler");
        assertThat(file.only("PersistentVolumeClaim").at("/metadata/name").asText())
                .isEqualTo("scheduler-agent-data");
        assertThat(file.only("PersistentVolumeClaim")
                        .at("/spec/resources/requests/storage")
                        .asText())
                .isEqualTo("10Gi");
        assertThat(file.only("Deployment").at("/spec/strategy/type").asText()).isEqualTo("Recreate");
        assertThat(file.only("Service").at("/metadata/name").asText()).isEqualTo("scheduler-agent");

        var shared = Rendered.of(
                helm, AGENT, "--values", AGENT.resolve("ci/shared.yaml").toString());
        assertThat(shared.all("PersistentVolumeClaim")).isEmpty();
        assertThat(shared.only("HorizontalPodAutoscaler").at("/spec/metrics")).hasSize(2);
        assertThat(shared.only("Deployment").at("/spec/replicas").isMissingNode())
                .isTrue();
    }

    @Test
    void containersHaveNoRightsOnTheirNode() {
        for (var chart : List.of(WEBHOOK, AGENT)) {
            var pod = Rendered.of(helm, chart).only("Deployment").at("/spec/template/spec");

            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem")
                            .asBoolean())
                    .isTrue();
            assertThat(pod.at("/containers/0/securityContext/capabilities/drop/0")
                            .asText())
                    .isEqualTo("ALL");
        }
    }
}
