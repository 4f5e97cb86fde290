package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
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

/** The extender's chart on paper: what it renders to, and which values it refuses. */
class ExtenderChartIT {
    private static final Path CHART = Helm.chart("gpu-admission");

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
                .contains("Deployment", "Service", "ClusterRole", "ClusterRoleBinding", "ServiceAccount");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicas=many",
                "replica=2",
                "service.port=443",
                "policy=Best Fit",
                "assumeTTL=30",
                "logLevel=loud",
                "scheduler.name=default-scheduler",
                "scheduler.httpTimeout=soon",
                "quota.modelLabel=",
                "kubeconfig.hostPath=scheduler.conf",
                "extraArgs={volcano=1.8}",
                "image.repository="
            })
    void theSchemaRefuses(String wrong) {
        var outcome = helm.attempt("template", CHART.toString(), "--kube-version", "1.36.3", "--set", wrong);

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("values don't meet the specifications of the schema");
    }

    @Test
    void objectsHaveThePublishedNamesWhateverTheReleaseIsCalled() {
        var names = Rendered.of(helm, CHART).objects().stream()
                .map(each -> each.path("kind").asText() + "/"
                        + each.at("/metadata/name").asText());

        assertThat(names)
                .contains(
                        "ClusterRole/gpu-scheduler-clusterrole",
                        "ClusterRoleBinding/gpu-scheduler-clusterrolebinding",
                        "ServiceAccount/gpu-scheduler-sa",
                        "ConfigMap/gpu-scheduler-config",
                        "Deployment/gpu-admission",
                        "Deployment/gpu-scheduler",
                        "Service/gpu-admission")
                .noneMatch(name -> name.startsWith("PriorityClass/"));
    }

    @Test
    void neitherSelectorMatchesTheOthersPods() {
        var deployments = Rendered.of(helm, CHART).all("Deployment").toList();

        assertThat(deployments).hasSize(2);
        for (var one : deployments) {
            for (var other : deployments) {
                assertThat(selects(one, other)).isEqualTo(one.equals(other));
            }
        }
    }

    private static boolean selects(JsonNode deployment, JsonNode other) {
        var labels = other.at("/spec/template/metadata/labels");
        return deployment.at("/spec/selector/matchLabels").properties().stream()
                .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    }

    @Test
    void theSchedulersConfigurationIsOfVersionOneAndAsksTheService() throws IOException {
        var config = configuration();

        assertThat(config.path("apiVersion").asText()).isEqualTo("kubescheduler.config.k8s.io/v1");
        assertThat(config.at("/profiles/0/schedulerName").asText()).isEqualTo("gpu-scheduler");
        assertThat(config.at("/leaderElection/leaderElect").asBoolean()).isFalse();
        assertThat(config.at("/extenders")).hasSize(1);
        var extender = config.at("/extenders/0");
        assertThat(extender.path("urlPrefix").asText()).isEqualTo("http://gpu-admission.gpu:3456/scheduler");
        assertThat(extender.path("filterVerb").asText()).isEqualTo("predicates");
        assertThat(extender.path("nodeCacheCapable").asBoolean()).isTrue();
        assertThat(extender.has("bindVerb")).isFalse();
    }

    @Test
    void withBindAndReplicasTheConfigurationSaysSo() throws IOException {
        var config =
                configuration("--values", CHART.resolve("ci/everything.yaml").toString());

        assertThat(config.at("/leaderElection/leaderElect").asBoolean()).isTrue();
        assertThat(config.at("/extenders/0/bindVerb").asText()).isEqualTo("bind");
        assertThat(config.at("/extenders/0/nodeCacheCapable").asBoolean()).isFalse();
    }

    private JsonNode configuration(String... options) throws IOException {
        var map = Rendered.of(helm, CHART, options)
                .all("ConfigMap")
                .filter(each -> each.at("/metadata/name").asText().equals("gpu-scheduler-config"))
                .findFirst()
                .orElseThrow();
        return new YAMLMapper()
                .readTree(map.path("data").path("gpu-scheduler-config.yaml").asText());
    }

    @Test
    void aKubeconfigOfTheNodeIsAnOption() {
        var pod = Rendered.of(
                        helm, CHART, "--values", CHART.resolve("ci/single.yaml").toString())
                .only("Deployment")
                .at("/spec/template/spec");

        assertThat(texts(pod.at("/containers/0/args"))).contains("--kubeconfig=/etc/kubernetes/scheduler.conf");
        assertThat(pod.at("/volumes").toString()).contains("\"hostPath\":{\"path\":\"/etc/kubernetes/scheduler.conf\"");
        assertThat(Rendered.of(helm, CHART).objects().toString()).doesNotContain("hostPath");
    }

    @Test
    void theContainerHasNoRightsOnItsNode() {
        Rendered.of(helm, CHART)
                .all("Deployment")
                .map(each -> each.at("/spec/template/spec"))
                .forEach(pod -> {
                    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean())
                            .isTrue();
                    assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem")
                                    .asBoolean())
                            .isTrue();
                    assertThat(pod.has("hostNetwork")).isFalse();
                });
    }

    @Test
    void theLedgersDefinitionIsKubesOwn() throws IOException {
        assertThat(Files.readString(CHART.resolve("crds/nodeledgers.berth.dev.yaml")))
                .isEqualTo(NodeLedgerDefinition.yaml());
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
