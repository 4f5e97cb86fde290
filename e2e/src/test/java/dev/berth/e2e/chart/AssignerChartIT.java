package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The assigner's chart on paper: what it renders to, and which values it refuses. */
class AssignerChartIT {
    private static final Path CHART = Helm.chart("gpu-device-assigner");

    private final Helm helm = ProgramsOrSkip.helm();

    static List<Path> valuesFiles() throws IOException {
        try (var files = Files.list(CHART.resolve("ci"))) {
            return Stream.concat(Stream.of(CHART.resolve("values.yaml")), files.sorted())
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("valuesFiles")
    void itIsWellFormedWithEveryKindOfValues(Path values) {
        helm.run("lint", "--strict", CHART.toString(), "--values", values.toString());
        assertThat(Rendered.of(helm, CHART, "--values", values.toString()).kinds())
                .contains("Deployment", "Service", "MutatingWebhookConfiguration", "ClusterRole");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas=many",
                "replica=2",
                "ports.webhook=443",
                "service.uiPort=0",
                "tls.mode=none",
                "tls.mode=existingSecret",
                "webhook.failurePolicy=Maybe",
                "webhook.timeoutSeconds=60",
                "claims.namespace=GPU_claims",
                "logLevel=loud",
                "extraArgs={pin=affinity}",
                "image.repository="
            })
    void theSchemaRefuses(String wrong) {
        var outcome = helm.attempt("template", CHART.toString(), "--kube-version", "1.36.3", "--set", wrong);

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("values don't meet the specifications of the schema");
    }

    @Test
    void anOlderKubernetesIsRefused() {
        var outcome = helm.attempt("template", CHART.toString(), "--kube-version", "1.29.0");

        assertThat(outcome.output()).contains("chart requires kubeVersion: >=1.30.0-0");
    }

    @Test
    void theContainerHasNoRightsOnItsNode() {
        var pod = Rendered.of(helm, CHART).only("Deployment").at("/spec/template/spec");

        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        var container = pod.at("/containers/0");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/capabilities/drop/0").asText())
                .isEqualTo("ALL");
        assertThat(container.path("ports"))
                .allSatisfy(
                        port -> assertThat(port.path("containerPort").asInt()).isGreaterThan(1024));
    }

    @Test
    void theWebhookIsOnlyForGpuPodsOfOtherNamespaces() {
        var webhook =
                Rendered.of(helm, CHART).only("MutatingWebhookConfiguration").at("/webhooks/0");

        assertThat(webhook.path("sideEffects").asText()).isEqualTo("NoneOnDryRun");
        assertThat(webhook.path("timeoutSeconds").asInt()).isEqualTo(5);
        assertThat(webhook.path("matchConditions")).hasSize(1);
        assertThat(texts(webhook.at("/namespaceSelector/matchExpressions/0/values")))
                .containsExactly("kube-system", "gpu");
        assertThat(webhook.path("clientConfig").has("caBundle"))
                .as("what the door writes there is not overwritten by an upgrade")
                .isFalse();
    }

    @Test
    void itMayDoExactlyWhatItDoes() {
        var rendered = Rendered.of(helm, CHART);
        var rules = rules(rendered)
                .map(rule -> texts(rule.path("resources")) + " " + texts(rule.path("resourceNames")) + " "
                        + texts(rule.path("verbs")));

        assertThat(rules)
                .containsExactlyInAnyOrder(
                        "[nodes, pods] [] [get, list, watch]",
                        "[nodeledgers] [] [get, list, watch, create, update]",
                        "[events] [] [create, patch]",
                        "[mutatingwebhookconfigurations] [release-gpu-device-assigner.gpu] [get, update]",
                        "[leases] [] [get, list, watch, create, update, delete]",
                        "[secrets] [release-gpu-device-assigner-tls] [get, update]",
                        "[leases] [release-gpu-device-assigner-tls] [get, update]");
    }

    @Test
    void withACertificateOfSomebodyElseItTouchesNoSecretAndNoWebhook() {
        var rendered = Rendered.of(
                helm,
                CHART,
                "--values",
                CHART.resolve("ci/existing-secret.yaml").toString());

        assertThat(rendered.kinds()).doesNotContain("Secret");
        assertThat(rules(rendered).flatMap(rule -> texts(rule.path("resources")).stream()))
                .doesNotContain("secrets", "mutatingwebhookconfigurations");
        assertThat(rendered.only("MutatingWebhookConfiguration")
                        .at("/webhooks/0/clientConfig/caBundle")
                        .asText())
                .startsWith("LS0t");
        assertThat(texts(rendered.only("Deployment").at("/spec/template/spec/containers/0/args")))
                .contains("--tls-cert=/tls/tls.crt")
                .doesNotContain("--self-signed");
    }

    @Test
    void certManagerIsAskedForACertificateAndItsTrust() {
        var rendered = Rendered.of(
                helm, CHART, "--values", CHART.resolve("ci/cert-manager.yaml").toString());

        assertThat(rendered.only("Certificate").at("/spec/issuerRef/name").asText())
                .isEqualTo("internal");
        assertThat(rendered.only("MutatingWebhookConfiguration").at("/metadata/annotations"))
                .hasToString("{\"cert-manager.io/inject-ca-from\":\"gpu/release-gpu-device-assigner\"}");
        assertThat(rendered.only("ServiceMonitor").at("/spec/endpoints/0/path").asText())
                .isEqualTo("/metrics");
    }

    @Test
    void theLedgersDefinitionIsKubesOwn() throws IOException {
        assertThat(Files.readString(CHART.resolve("crds/nodeledgers.berth.dev.yaml")))
                .isEqualTo(NodeLedgerDefinition.yaml());
    }

    private static Stream<JsonNode> rules(Rendered rendered) {
        return Stream.concat(rendered.all("ClusterRole"), rendered.all("Role"))
                .flatMap(role -> StreamSupport.stream(role.path("rules").spliterator(), false));
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
