package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pinner's charts on paper: what they render to, and which values they refuse. */
class PinnerChartIT {
    private static final Path CHART = Helm.chart("gpu-scheduler");
    private static final Path CHECK = Helm.chart("gpu-scheduler-check");

    private final Helm helm = ProgramsOrSkip.helm();

    static List<Path> valuesFiles() throws IOException {
        return Stream.concat(valuesOf(CHART), valuesOf(CHECK)).toList();
    }

    private static Stream<Path> valuesOf(Path chart) throws IOException {
        try (var files = Files.list(chart.resolve("ci"))) {
            return Stream.concat(Stream.of(chart.resolve("values.yaml")), files.sorted().toList().stream());
        }
    }

    @ParameterizedTest
    @MethodSource("valuesFiles")
    void itIsWellFormedWithEveryKindOfValues(Path values) {
        var chart = values.startsWith(CHECK) ? CHECK : CHART;
        helm.run("lint", "--strict", chart.toString(), "--values", values.toString());

        assertThat(Rendered.of(helm, chart, "--values", values.toString()).kinds())
                .contains("Service", "ServiceAccount", chart.equals(CHECK) ? "StatefulSet" : "Deployment");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicaCount=many",
                "replicas=2",
                "ports.webhook=443",
                "webhook.failurePolicy=Maybe",
                "webhook.tls.mode=none",
                "scheduler.name=default-scheduler",
                "scheduler.name=My_Scheduler",
                "logLevel=loud",
                "image.repository="
            })
    void theSchemaRefuses(String wrong) {
        var outcome = helm.attempt("template", CHART.toString(), "--kube-version", "1.36.3", "--set", wrong);

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("values don't meet the specifications of the schema");
    }

    @Test
    void theDocumentsNamesAreKept() {
        var rendered = Rendered.named(
                helm,
                CHART,
                "gpu-scheduler",
                "gpu-scheduler-system",
                "--set=webhook.enabled=true,webhook.caBundle=LS0t...");

        assertThat(rendered.only("Deployment").at("/metadata/name").asText()).isEqualTo("gpu-scheduler");
        assertThat(texts(rendered.only("Deployment").at("/spec/template/spec/containers"), "name"))
                .containsExactly("scheduler", "webhook");
        assertThat(rendered.all("Service")
                        .map(each -> each.at("/metadata/name").asText() + ":"
                                + each.at("/spec/ports/0/port").asText()))
                .containsExactly("gpu-scheduler:8080", "gpu-scheduler-webhook:443");
        assertThat(rendered.only("ClusterRole").at("/metadata/name").asText()).isEqualTo("gpu-scheduler");
        var configuration = rendered.only("MutatingWebhookConfiguration");
        assertThat(configuration.at("/metadata/name").asText()).isEqualTo("gpu-scheduler-webhook");
        assertThat(configuration.at("/webhooks/0/name").asText()).isEqualTo("gpu-env-injector.gpu-scheduler.io");
        assertThat(configuration.at("/webhooks/0/failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(rendered.only("Deployment")
                        .at("/spec/template/spec/volumes/1/secret/secretName")
                        .asText())
                .isEqualTo("gpu-scheduler-webhook-tls");
    }

    /** With a cluster at hand the bundle is the Secret's ca.crt; see PinnerInstallIT. */
    @Test
    void theWebhookIsSwitchedOnWithoutABundleToo() {
        var rendered = Rendered.of(helm, CHART, "--set=resources.limits.cpu=1000m,webhook.enabled=true");

        assertThat(rendered.only("MutatingWebhookConfiguration")
                        .at("/webhooks/0/clientConfig")
                        .has("caBundle"))
                .isFalse();
    }

    @Test
    void noNamespaceCanBeLockedOut() {
        var webhook = Rendered.of(
                        helm,
                        CHART,
                        "--values",
                        CHART.resolve("ci/webhook.yaml").toString())
                .only("MutatingWebhookConfiguration")
                .at("/webhooks/0");

        assertThat(webhook.at("/namespaceSelector/matchExpressions/0/key").asText())
                .isEqualTo("kubernetes.io/metadata.name");
        assertThat(webhook.at("/namespaceSelector/matchExpressions/0/values")
                        .valueStream()
                        .map(JsonNode::asText))
                .containsExactly("kube-system", "gpu", "monitoring");
        assertThat(webhook.at("/matchConditions/0/expression").asText())
                .isEqualTo("has(object.spec.schedulerName) && object.spec.schedulerName == \"gpu-scheduler\"");
    }

    @Test
    void containersHaveNoRightsOnTheirNode() {
        var pod = Rendered.of(
                        helm,
                        CHART,
                        "--values",
                        CHART.resolve("ci/webhook.yaml").toString())
                .only("Deployment")
                .at("/spec/template/spec");

        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.path("containers")).hasSize(2).allSatisfy(container -> {
            assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                    .isTrue();
            assertThat(container.at("/securityContext/capabilities/drop/0").asText())
                    .isEqualTo("ALL");
            assertThat(container.at("/ports/0/containerPort").asInt()).isGreaterThan(1024);
        });
    }

    @Test
    void itMayDoExactlyWhatItDoes() {
        assertThat(rules(Rendered.of(helm, CHART)))
                .containsExactly(
                        "[nodes] [] [list, watch]",
                        "[pods] [] [get, list, watch]",
                        "[pods/binding] [] [create]",
                        "[pods/status] [] [patch]",
                        "[events] [] [create, patch]",
                        "[nodeledgers] [] [get, list, watch, create, update]");
    }

    @Test
    void whoMakesHisOwnCertificateMayWriteThatAndNoOther() {
        assertThat(rules(Rendered.of(
                        helm,
                        CHART,
                        "--values",
                        CHART.resolve("ci/self-signed.yaml").toString())))
                .contains(
                        "[mutatingwebhookconfigurations] [release-gpu-scheduler-webhook] [get, update]",
                        "[leases] [release-gpu-scheduler, release-gpu-scheduler-webhook-self-signed] [get, update]",
                        "[secrets] [release-gpu-scheduler-webhook-self-signed] [get, update]");
    }

    @Test
    void theLedgersDefinitionIsKubesOwn() throws IOException {
        assertThat(Files.readString(CHART.resolve("crds/nodeledgers.berth.dev.yaml")))
                .isEqualTo(NodeLedgerDefinition.yaml());
    }

    private static List<String> rules(Rendered rendered) {
        return Stream.concat(rendered.all("ClusterRole"), rendered.all("Role"))
                .flatMap(role -> role.path("rules").valueStream())
                .map(rule -> "%s %s %s"
                        .formatted(
                                list(rule.path("resources")),
                                list(rule.path("resourceNames")),
                                list(rule.path("verbs"))))
                .toList();
    }

    private static List<String> list(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private static List<String> texts(JsonNode array, String field) {
        return array.valueStream().map(each -> each.path(field).asText()).toList();
    }
}
