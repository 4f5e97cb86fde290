package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.ledger.NodeLedger;
import dev.berth.web.health.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** What a namespace with a quota holds is a page of the ledger, which replicas share. */
class QuotaPagesTest {
    private static final String MODEL = "gaia.tencent.com/gpu-model";

    @Test
    void ofTwoReplicasOnlyOneGivesOutTheLastPartOfAQuota() throws Exception {
        try (var stage = new Stage(true);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // Two nodes, so that no node's ledger decides between the two.
            stage.node("a", 800, 64, MODEL, "M40");
            stage.node("b", 800, 64, MODEL, "M40");
            var rules = Stage.JSON.createObjectNode();
            for (int round = 0; round < 10; round++) {
                rules.putObject("duel-" + round).putObject("quota").put("M40", 1);
            }
            stage.quota(rules.toString());
            var second = stage.replica(new Metrics());
            Stage.await("the quota", () -> stage.get("/quota").contains("duel-9"));
            for (int round = 0; round < 10; round++) {
                var namespace = "duel-" + round;
                stage.namespace(namespace);
                var one = stage.podIn(namespace, "one", "60/1");
                var two = stage.podIn(namespace, "two", "60/1");
                List<Callable<String>> questions = List.of(
                        () -> Stage.chosen(stage.filter(one, "a")),
                        () -> Stage.chosen(Stage.ask(
                                second,
                                "/scheduler/predicates",
                                stage.request(two, "b").toString())));
                var answers = new ArrayList<String>();
                for (var answer : threads.invokeAll(questions)) {
                    answers.add(answer.get());
                }

                assertThat(answers).containsOnlyOnce("none");
            }
        }
    }

    @Test
    void aPodThatIsBoundStaysCountedAndOneThatIsGoneDoesNot() {
        try (var stage = new Stage(true)) {
            stage.node("a", 400, 16, MODEL, "M40");
            limited(stage);
            var pod = stage.pod("p", "60/1");
            stage.place(pod, "a");
            Stage.await("the pod to be confirmed", () -> state(stage).equals(List.of("Confirmed")));

            assertThat(Stage.chosen(stage.filter(stage.pod("q", "60/1"), "a"))).isEqualTo("none");
            assertThat(counted(stage)).isEqualTo(1);

            stage.remove(pod);
            Stage.await("the page to be empty", () -> counted(stage) == 0);
        }
    }

    @Test
    void aPodThatGoesBeforeItWasBoundGivesBackItsPartAtOnce() {
        try (var stage = new Stage(true)) {
            stage.node("a", 400, 16, MODEL, "M40");
            limited(stage);
            var pod = stage.pod("p", "60/1");
            assertThat(Stage.chosen(stage.filter(pod, "a"))).isEqualTo("a");

            stage.remove(pod);

            // The time of a decision is not over for half a minute.
            Stage.await("both pages to be empty", () -> counted(stage) == 0 && stage.held("a") == 0);
        }
    }

    @Test
    void aPodThatFindsNoNodeIsNotCounted() {
        try (var stage = new Stage(true)) {
            stage.node("a", 100, 4, MODEL, "M40");
            stage.quota("{\"default\": {\"quota\": {\"M40\": 9}}}");
            Stage.await("the quota", () -> stage.get("/quota").contains("\"limitCores\":900"));
            assertThat(Stage.chosen(stage.filter(stage.pod("p", "100"), "a"))).isEqualTo("a");

            assertThat(Stage.chosen(stage.filter(stage.pod("q", "100"), "a"))).isEqualTo("none");

            assertThat(counted(stage)).isEqualTo(1);
        }
    }

    @Test
    void withoutAQuotaNothingIsCounted() {
        try (var stage = new Stage(true)) {
            stage.node("a", 100, 4, MODEL, "M40");

            assertThat(Stage.chosen(stage.filter(stage.pod("p", "100"), "a"))).isEqualTo("a");

            assertThat(stage.cluster
                            .client()
                            .resources(NodeLedger.class)
                            .withName("quota.default")
                            .get())
                    .isNull();
        }
    }

    private static void limited(Stage stage) {
        stage.quota("{\"default\": {\"quota\": {\"M40\": 1}}}");
        Stage.await("the quota", () -> stage.get("/quota").contains("\"limitCores\":100"));
    }

    private static List<String> state(Stage stage) {
        var page = stage.cluster
                .client()
                .resources(NodeLedger.class)
                .withName("quota.default")
                .get();
        return page == null
                ? List.of()
                : page.getSpec().entries().stream()
                        .map(entry -> entry.assumed() ? "Assumed" : "Confirmed")
                        .toList();
    }

    private static int counted(Stage stage) {
        return state(stage).size();
    }
}
