package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart of all doors on paper, and those of the claims and the console, which come with it. */
class BerthChartIT {
    private static final Path CHART = Helm.chart("berth");
    private static final Path CLAIMS = Helm.chart("berth-claims");
    private static final Path CONSOLE = Helm.chart("berth-console");
    private static final List<String> DOORS = List.of("assigner", "extender", "advisor", "pinner", "claims", "console");

    private final Helm helm = ProgramsOrSkip.helm();

    static List<Path> valuesFiles() throws IOException {
        return Stream.of(valuesOf(CHART), valuesOf(CLAIMS), valuesOf(CONSOLE))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Path> valuesOf(Path chart) throws IOException {
        try (var files = Files.list(chart.resolve("ci"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("valuesFiles")
    void itIsWellFormedWithEveryKindOfValues(Path values) {
        var chart = values.resolve("../..").normalize();
        helm.run("lint", "--strict", chart.toString(), "--values", values.toString());

        assertThat(Rendered.of(helm, chart, "--values", values.toString()).objects())
                .extracting(BerthChartIT::name)
                .doesNotHaveDuplicates();
    }

    @Test
    void withItsOwnValuesItIsAllDoorsUnderTheNamesOfTheirDocuments() {
        assertThat(deployments(Rendered.of(helm, CHART)))
                .containsExactlyInAnyOrder(
                        "gpu-device-assigner",
                        "gpu-admission",
                        "gpu-admission-scheduler",
                        "scheduler-agent",
                        "scheduler-webhook",
                        "gpu-scheduler",
                        "berth-claims");
    }

    @ParameterizedTest
    @CsvSource({
        "assigner, gpu-device-assigner",
        "extender, gpu-admission gpu-admission-scheduler",
        "advisor, scheduler-agent scheduler-webhook",
        "pinner, gpu-scheduler",
        "claims, berth-claims",
        "console, berth-console"
    })
    void oneDoorAloneBringsItsOwnObjectsAndNoOthers(String door, String deployments) {
        var rendered = Rendered.of(helm, CHART, only(door));

        assertThat(deployments(rendered)).containsExactlyInAnyOrder(deployments.split(" "));
        assertThat(rendered.objects())
                .filteredOn(object -> !object.path("kind").asText().equals("CustomResourceDefinition"))
                .allSatisfy(object -> assertThat(object.at("/metadata/labels/app.kubernetes.io~1name")
                                .asText())
                        .matches("(%s|%s)(-test)?".formatted(door, deployments.replace(" ", "|"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asigner.enabled=true",
                "assigner.enabled=perhaps",
                "assigner.replicas=many",
                "advisor.replicas=1",
                "advisor-webhook.webhook.failurePolicy=Maybe",
                "claims.scheduler.name=default-scheduler",
                "claims.scheduler.settings[0].apiGroup=,claims.scheduler.settings[0].resources[0]=secrets",
                "console.enabled=true",
                "global.tls.mode=none",
                "global.image.pullPolicy=Sometimes",
                "crds.keep=never"
            })
    void theSchemaRefuses(String wrong) {
        assertThat(refusal(wrong)).contains("values don't meet the specifications of the schema");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "extender.scheduler.name=gpu-scheduler",
                "pinner.scheduler.name=berth",
                "claims.scheduler.name=gpu-scheduler"
            })
    void twoSchedulersOfOneNameAreRefused(String wrong) {
        assertThat(refusal(wrong)).contains("two schedulers would place the same pods");
    }

    private String refusal(String wrong) {
        var outcome = helm.attempt("template", CHART.toString(), "--kube-version", "1.36.3", "--set", wrong);
        assertThat(outcome.exitCode()).isNotZero();
        return outcome.err();
    }

    @Test
    void whatGlobalSaysHoldsForEveryDoor() {
        var rendered = Rendered.of(
                helm, CHART, "--values", CHART.resolve("ci/everything.yaml").toString());

        var pods = Stream.concat(
                        rendered.all("Deployment").map(each -> each.at("/spec/template/spec")),
                        rendered.all("Pod").map(each -> each.path("spec")))
                .toList();
        assertThat(pods).hasSize(8 + 7).allSatisfy(pod -> {
            assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("registry");
            assertThat(pod.at("/containers/0/image").asText())
                    .matches("registry.example.org/berth:1.2.3|registry.k8s.io/kube-scheduler:v1.36.3");
        });
        assertThat(rendered.all("ServiceMonitor")).hasSize(7).allSatisfy(monitor -> {
            assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
            assertThat(monitor.at("/spec/endpoints/0/interval").asText()).isEqualTo("15s");
        });
        assertThat(rendered.all("Certificate"))
                .hasSize(3)
                .allSatisfy(certificate -> assertThat(
                                certificate.at("/spec/issuerRef/name").asText())
                        .isEqualTo("internal"));
        assertThat(rendered.all("Issuer")).isEmpty();
        assertThat(rendered.all("Secret")).isEmpty();
    }

    @Test
    void theAlertsAndTheDashboardAreThoseOfTheHandbook() throws IOException {
        var rendered = Rendered.of(
                helm, CHART, "--values", CHART.resolve("ci/everything.yaml").toString());

        assertThat(rendered.only("PrometheusRule").path("spec"))
                .isEqualTo(new YAMLMapper()
                        .readTree(CHART.resolve("../../alerts/berth.rules.yaml").toFile()));
        assertThat(rendered.all("ConfigMap")
                        .map(map -> map.at("/data/berth.json").asText())
                        .filter(text -> !text.isEmpty()))
                .containsExactly(Files.readString(CHART.resolve("../../dashboards/berth.json"))
                        .stripTrailing());
    }

    @Test
    void theConsolesMetricsAreReadWithTheReadersToken() {
        var monitor = Rendered.of(
                        helm,
                        CONSOLE,
                        "--values",
                        CONSOLE.resolve("ci/token.yaml").toString())
                .only("ServiceMonitor");

        assertThat(monitor.at("/spec/endpoints/0/authorization/credentials/name")
                        .asText())
                .isEqualTo("console-token");
    }

    @Test
    void theKindsAreTheCodesOwnAndStayWhenTheReleaseGoes() {
        var rendered = Rendered.of(helm, CHART);

        assertThat(specs(rendered.all("CustomResourceDefinition"))).isEqualTo(specs(fromCode()));
        assertThat(rendered.all("CustomResourceDefinition"))
                .allSatisfy(crd -> assertThat(crd.at("/metadata/annotations/helm.sh~1resource-policy")
                                .asText())
                        .isEqualTo("keep"));
        assertThat(rendered.all("CustomResourceDefinition")
                        .map(crd -> crd.at("/metadata/annotations/api-approved.kubernetes.io"))
                        .filter(JsonNode::isTextual))
                .hasSize(5);
    }

    @Test
    void theKindsOfClaimsComeWithTheirDoor() {
        assertThat(specs(Rendered.of(helm, CHART, only("pinner")).all("CustomResourceDefinition")))
                .containsOnlyKeys("nodeledgers.berth.dev");
        assertThat(specs(Rendered.of(helm, CHART, "--set=crds.enabled=false").all("CustomResourceDefinition")))
                .isEmpty();
    }

    /** Helm installs those before it looks at templates, and never upgrades them. */
    @Test
    void noKindComesFromTheDoorsOwnFolders() {
        assertThat(helm.run("show", "crds", CHART.toString())).isBlank();
        assertThat(helm.run("show", "crds", CLAIMS.toString())).contains("nodeledgers.berth.dev", "deviceclaims");
    }

    @Test
    void theConsoleReadsAndNeverWrites() {
        var rendered = Rendered.of(
                helm, CONSOLE, "--values", CONSOLE.resolve("ci/token.yaml").toString());

        assertThat(Stream.concat(rendered.all("ClusterRole"), rendered.all("Role"))
                        .flatMap(role -> role.path("rules").valueStream())
                        .flatMap(rule -> rule.path("verbs").valueStream())
                        .map(JsonNode::asText))
                .isNotEmpty()
                .allMatch(verb -> List.of("get", "list", "watch").contains(verb));
    }

    private static String[] only(String door) {
        var switches = DOORS.stream().map(each -> "--set=%s.enabled=%s".formatted(each, each.equals(door)));
        return Stream.concat(Stream.of("--set=console.auth.existingSecret=token"), switches)
                .toArray(String[]::new);
    }

    private static List<String> deployments(Rendered rendered) {
        return rendered.all("Deployment")
                .map(each -> each.at("/metadata/name").asText())
                .toList();
    }

    private static String name(JsonNode object) {
        return "%s %s/%s"
                .formatted(
                        object.path("kind").asText(),
                        object.at("/metadata/namespace").asText(),
                        object.at("/metadata/name").asText());
    }

    private static Stream<JsonNode> fromCode() {
        var yaml = new YAMLMapper();
        return Stream.concat(ClaimDefinitions.yaml().stream(), Stream.of(NodeLedgerDefinition.yaml()))
                .map(text -> {
                    try {
                        return yaml.readTree(text);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private static Map<String, JsonNode> specs(Stream<JsonNode> definitions) {
        var specs = new TreeMap<String, JsonNode>();
        definitions.forEach(each -> specs.put(each.at("/metadata/name").asText(), each.path("spec")));
        return specs;
    }
}
