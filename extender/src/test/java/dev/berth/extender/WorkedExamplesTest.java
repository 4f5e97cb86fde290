package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The examples of the wire contract, section 3.5, over HTTP. */
class WorkedExamplesTest {
    private static final String QUOTA = """
            {"default": {"quota": {"M40": 4, "P100": 4}, "pool": ["public"]}, "B": {"quota": {"M40": 8, "P100": 2}, "pool": ["wx"]}}""";

    private final Stage stage = new Stage(true);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void sharesArePackedOntoTheBusiestDeviceThatHasRoom() {
        stage.node("n", 400, 16);

        assertThat(stage.place(stage.pod("p1", "30/1"), "n=400/16")).isEqualTo("0");
        assertThat(stage.place(stage.pod("p2", "40/1"), "n=400/16")).isEqualTo("0");
        assertThat(stage.place(stage.pod("p3", "40/1"), "n=400/16")).isEqualTo("1");
        assertThat(stage.place(stage.pod("p4", "30/2"), "n=400/16")).isEqualTo("0");
        assertThat(stage.place(stage.pod("p5", "200"), "n=400/16")).isEqualTo("2,3");
    }

    @Test
    void theContainersOfAPodArePlacedInTheirOrderAndKeepTheirNumbers() {
        var pod = stage.pod("p", "100", "", "50/1", "50/1");

        assertThat(Stage.chosen(stage.filter(pod, "n=200/8"))).isEqualTo("n");

        var annotations = stage.annotations(pod);
        assertThat(annotations)
                .containsEntry(Stage.INDEX + "0", "0")
                .doesNotContainKey(Stage.INDEX + "1")
                .containsEntry(Stage.INDEX + "2", "1")
                .containsEntry(Stage.INDEX + "3", "1")
                .containsEntry("tencent.com/predicate-node", "n")
                .containsEntry("tencent.com/gpu-assigned", "false");
        assertThat(annotations.get("tencent.com/predicate-time")).matches("\\d{19}");
    }

    @Test
    void theNodeWithTheFewestFreeCoresIsTaken() {
        var pod = stage.pod("p", "20/1");

        var reply = stage.filter(pod, "b=200/8", "a=200/8", "c=100/8");

        var elsewhere = "pod %s has already been matched to another node"
                .formatted(pod.getMetadata().getUid());
        assertThat(Stage.chosen(reply)).isEqualTo("c");
        assertThat(reply.path("FailedNodes").path("a").asText()).isEqualTo(elsewhere);
        assertThat(reply.path("FailedNodes").path("b").asText()).isEqualTo(elsewhere);
        assertThat(reply.path("FailedNodes")).hasSize(2);
    }

    @Test
    void ofNodesWithEquallyFewCoresTheOneWithLessMemoryIsTakenAndThenTheFirstByName() {
        assertThat(Stage.chosen(stage.filter(stage.pod("p1", "20/1"), "b=200/6", "a=200/8")))
                .isEqualTo("b");
        assertThat(Stage.chosen(stage.filter(stage.pod("p2", "20/1"), "d=200/8", "c=200/8")))
                .isEqualTo("c");
    }

    @Test
    void memoryBoundsAShareToo() {
        var pod = stage.pod("p", "30/5");

        var reply = stage.filter(pod, "n=400/16");

        assertThat(Stage.chosen(reply)).isEqualTo("none");
        assertThat(reply.path("Nodes").path("items").isArray()).isTrue();
        assertThat(reply.path("FailedNodes").path("n").asText())
                .isEqualTo("pod %s does not match with this node"
                        .formatted(pod.getMetadata().getUid()));
    }

    @Test
    void whatIsDecidedAndNotYetBoundIsTaken() {
        assertThat(Stage.chosen(stage.filter(stage.pod("p1", "400"), "n=400/16")))
                .isEqualTo("n");

        var second = stage.filter(stage.pod("p2", "10/1"), "n=400/16");

        assertThat(Stage.chosen(second)).isEqualTo("none");
        assertThat(second.path("FailedNodes").path("n").asText()).endsWith("does not match with this node");
    }

    @Test
    void whenNoNodeFitsEachSaysWhy() {
        var pod = stage.pod("p", "500");

        var reply = stage.filter(pod, "n0=400/16", "c", "n1=100/4");

        var noMatch = "pod %s does not match with this node"
                .formatted(pod.getMetadata().getUid());
        assertThat(reply.path("Nodes").path("items")).isEmpty();
        assertThat(reply.path("FailedNodes").path("n0").asText()).isEqualTo(noMatch);
        assertThat(reply.path("FailedNodes").path("n1").asText()).isEqualTo(noMatch);
        assertThat(reply.path("FailedNodes").path("c").asText()).isEqualTo("no GPU device");
        assertThat(reply.path("FailedAndUnresolvableNodes").has("c")).isTrue();
        assertThat(reply.path("Error").asText()).isEmpty();
    }

    @Test
    void aNamespaceUsesNoMoreOfAModelThanItsQuotaAndOnlyItsPools() {
        var model = "gaia.tencent.com/gpu-model";
        var pool = "gaia.tencent.com/gpu-pool";
        stage.node("m1", 800, 32, model, "M40", pool, "public");
        stage.node("p1", 400, 16, model, "P100", pool, "public");
        stage.node("p2", 400, 16, model, "P100", pool, "wx");
        stage.place(stage.pod("used", "300", "50/1"), "m1");
        stage.quota(QUOTA);
        Stage.await("the quota", () -> get("/quota").contains("limitCores"));

        var whole = stage.filter(stage.pod("whole", "100"), "m1", "p1", "p2");

        assertThat(Stage.chosen(whole)).isEqualTo("p1");
        assertThat(whole.path("FailedNodes").path("m1").asText()).isEqualTo("ExceedsGPUQuota: M40 350/400");
        assertThat(whole.path("FailedNodes").path("p2").asText()).startsWith("ExceedsGPUQuota");

        var half = stage.filter(stage.pod("half", "50/1"), "m1", "p2");
        assertThat(Stage.chosen(half)).isEqualTo("m1");
        assertThat(half.path("FailedNodes").path("p2").asText()).startsWith("ExceedsGPUQuota");

        var more = stage.filter(stage.pod("more", "10/1"), "m1", "p2");
        assertThat(Stage.chosen(more)).isEqualTo("none");
        assertThat(more.path("FailedNodes").path("m1").asText()).isEqualTo("ExceedsGPUQuota: M40 400/400");
    }

    private String get(String path) {
        try {
            return stage.send("GET", path, "").body();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }
}
