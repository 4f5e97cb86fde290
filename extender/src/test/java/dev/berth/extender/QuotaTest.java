package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.extender.quota.QuotaRules;
import dev.berth.kube.ledger.NamedLedgers;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaTest {
    private static final String MODEL = "gaia.tencent.com/gpu-model";

    @Test
    void aQuotaThatCannotBeReadLeavesTheLastGoodOneAndIsTold() {
        try (var stage = new Stage(true)) {
            stage.node("n", 400, 16, MODEL, "M40");
            stage.quota("{\"default\": {\"quota\": {\"M40\": 1}}}");
            Stage.await("the quota", () -> stage.get("/quota").contains("\"limitCores\":100"));

            stage.quota("{\"default\": {\"quota\": {\"M40\": \"many\"}}}");

            Stage.await(
                    "the bad value to be counted",
                    () -> stage.get("/metrics").contains("berth_quota_unusable_values_total 1.0"));
            Stage.await(
                    "an event on the ConfigMap",
                    () ->
                            stage
                                    .cluster
                                    .client()
                                    .events()
                                    .v1()
                                    .events()
                                    .inNamespace("kube-system")
                                    .list()
                                    .getItems()
                                    .stream()
                                    .anyMatch(event -> event.getReason().equals("UnusableGPUQuota")
                                            && event.getNote().contains("quota of M40 is not a number of GPUs")));
            assertThat(stage.get("/quota")).contains("\"limitCores\":100");
            assertThat(Stage.chosen(stage.filter(stage.pod("p1", "100"), "n"))).isEqualTo("n");
            assertThat(Stage.chosen(stage.filter(stage.pod("p2", "100"), "n"))).isEqualTo("none");
        }
    }

    @Test
    void anExtenderThatStartsOnAQuotaThatCannotBeReadDoesNotTakeItForNone() throws Exception {
        try (var stage = new Stage(true)) {
            stage.node("n", 400, 16, MODEL, "M40");
            stage.quota("{\"default\": {\"quota\": {\"M40\": ");
            try (var extender = Extender.start(
                            stage.cluster,
                            cards -> NamedLedgers.shared(stage.cluster, cards),
                            ExtenderSettings.DEFAULT,
                            "late",
                            "berth-test",
                            new Metrics(),
                            InstantSource.system());
                    var server = HttpServer.start(List.of(new Listener(
                            "extender", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, extender::routes)))) {
                var body = stage.request(stage.pod("p", "200"), "n").toString();
                Supplier<String> answer = () -> Stage.chosen(Stage.ask(server, "/scheduler/predicates", body));
                Stage.await(
                        "the caches but for the quota",
                        () -> !answer.get().startsWith("error: the extender has just started"));
                assertThat(answer.get()).isEqualTo("error: GPU quota has not been synced, please retry later");
                assertThat(extender.health().isReady()).isFalse();

                stage.quota("{\"default\": {\"quota\": {\"M40\": 1}}}");
                assertThat(extender.health().awaitReady(Duration.ofSeconds(30))).isTrue();
                assertThat(answer.get()).isEqualTo("none");
            }
        }
    }

    @Test
    void podsThatAreDecidedOnCountBeforeTheyAreBound() {
        try (var stage = new Stage(true)) {
            stage.node("n", 800, 32, MODEL, "M40");
            stage.quota("{\"default\": {\"quota\": {\"M40\": 1}}}");
            Stage.await("the quota", () -> stage.get("/quota").contains("\"limitCores\":100"));
            assertThat(Stage.chosen(stage.filter(stage.pod("p1", "60/1"), "n"))).isEqualTo("n");

            var second = stage.filter(stage.pod("p2", "60/1"), "n");

            assertThat(second.path("FailedNodes").path("n").asText()).isEqualTo("ExceedsGPUQuota: M40 60/100");
            assertThat(stage.get("/quota"))
                    .contains(
                            "{\"namespace\":\"default\",\"pools\":[],\"models\":[{\"model\":\"M40\",\"usedCores\":60,\"limitCores\":100}]}");
            assertThat(stage.get("/metrics"))
                    .contains("berth_quota_used{model=\"M40\",namespace=\"default\"} 60.0")
                    .contains("berth_quota_limit{model=\"M40\",namespace=\"default\"} 100.0")
                    .contains("berth_gpu_allocated_ratio{model=\"M40\"} 0.075");
        }
    }

    @Test
    void aNamespaceThatIsNotNamedMayUseAllAndOneWithoutTheModelNothing() {
        try (var stage = new Stage(true)) {
            stage.node("n", 100, 4, MODEL, "M40");
            stage.quota("{\"default\": {\"quota\": {\"P100\": 1}}, \"other\": {}}");
            Stage.await("the quota", () -> stage.get("/quota").contains("limitCores"));

            assertThat(stage.filter(stage.pod("p", "50/1"), "n")
                            .path("FailedNodes")
                            .path("n")
                            .asText())
                    .isEqualTo("ExceedsGPUQuota: M40 0/0");
            assertThat(Stage.chosen(stage.filter(stage.podIn("kube-system", "p", "50/1"), "n")))
                    .isEqualTo("n");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    [] | JSON object
                    { | not JSON
                    {"a": 1} | namespace a: not an object
                    {"a": {"quota": []}} | namespace a: quota is not an object
                    {"a": {"quota": {"M40": -1}}} | quota of M40
                    {"a": {"quota": {"M40": 1.5}}} | quota of M40
                    {"a": {"pool": "x"}} | pool is not a list
                    {"a": {"pool": [1]}} | not a name
                    {"a": {"quota": {"": 1}}} | namespace a: a GPU model has no name
                    {"a": {"quota": {"M40": 1}}} {"b": {}} | it is not JSON: Trailing token
                    """)
    void aQuotaThatMakesNoSenseSaysWhere(String text, String problem) {
        assertThatThrownBy(() -> QuotaRules.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void capitalsInAQuotasKeysAreTakenAsInGo() {
        var rule = QuotaRules.parse("{\"a\": {\"Quota\": {\"M40\": 2}, \"Pool\": [\"wx\"]}}")
                .of("a")
                .orElseThrow();

        assertThat(rule.limit("M40")).isEqualTo(200);
        assertThat(rule.pools()).containsExactly("wx");
    }

    @Test
    void theSampleOfTheDocumentIsRead() {
        var rules = QuotaRules.parse(
                "{\"default\":{\"quota\":{\"M40\":4,\"P100\":4},\"pool\":[\"public\"]},\"B\":{\"quota\":{\"M40\":8,\"P100\":2},\"pool\":[\"wx\"]}}");

        assertThat(rules.of("B").orElseThrow().limit("M40")).isEqualTo(800);
        assertThat(rules.of("B").orElseThrow().pools()).containsExactly("wx");
        assertThat(rules.of("nobody")).isEmpty();
    }
}
