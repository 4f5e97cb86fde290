package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rulings 6 and 11: what becomes of decisions, and what counts as held. */
class LifeCycleTest {
    private final Stage stage = new Stage(true);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aPodThatIsAskedAboutAgainAndNotBoundIsDecidedOnAnew() {
        var pod = stage.pod("p", "100");
        assertThat(Stage.chosen(stage.filter(pod, "a=100/4"))).isEqualTo("a");

        var again = stage.filter(stage.read(pod), "b=100/4");

        assertThat(Stage.chosen(again)).isEqualTo("b");
        assertThat(stage.annotations(pod)).containsEntry("tencent.com/predicate-node", "b");
        Stage.await("the old decision to go", () -> stage.held("a") == 0);
        assertThat(Stage.chosen(stage.filter(stage.pod("other", "100"), "a=100/4")))
                .isEqualTo("a");
    }

    @Test
    void aBoundPodHadBeenPredicated() {
        stage.node("n", 100, 4);
        var pod = stage.pod("p", "50/1");
        stage.place(pod, "n");

        // The scheduler's picture of the pod may be from before the binding.
        assertThat(Stage.chosen(stage.filter(pod, "n"))).isEqualTo("error: pod p had been predicated!");
        assertThat(Stage.chosen(stage.filter(stage.read(pod), "n"))).isEqualTo("error: pod p had been predicated!");
    }

    @Test
    void aDecisionThatIsNotFollowedIsDroppedWhenItsTimeIsUp() {
        stage.node("n", 100, 4);
        var first = stage.pod("first", "100");
        stage.filter(first, "n");
        assertThat(Stage.chosen(stage.filter(stage.pod("second", "100"), "n"))).isEqualTo("none");

        stage.pass(Duration.ofSeconds(40));

        Stage.await("the decision to be dropped", () -> stage.held("n") == 0);
        assertThat(stage.annotations(first)).isEmpty();
        Stage.await(
                "the GPU to be given to another",
                () -> Stage.chosen(stage.filter(stage.pod("third-" + System.nanoTime(), "100"), "n"))
                        .equals("n"));
    }

    @Test
    void aDecisionThatIsFollowedStays() {
        stage.node("n", 100, 4);
        stage.place(stage.pod("first", "100"), "n");

        stage.pass(Duration.ofSeconds(60));

        assertThat(Stage.chosen(stage.filter(stage.pod("second", "10/1"), "n"))).isEqualTo("none");
    }

    @Test
    void aPodThatGoesMakesRoom() {
        stage.node("n", 100, 4);
        var first = stage.pod("first", "100");
        stage.place(first, "n");
        stage.remove(first);

        Stage.await(
                "the GPU to be free",
                () -> Stage.chosen(stage.filter(stage.pod("next-" + System.nanoTime(), "100"), "n"))
                        .equals("n"));
    }

    @Test
    void whatAUserWroteOntoThePodDoesNotBlockIt() {
        var pod = stage.create(new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("forged")
                .withAnnotations(Map.of(
                        "tencent.com/gpu-assigned",
                        "true",
                        Stage.INDEX + "7",
                        "-3",
                        "tencent.com/predicate-time",
                        "99999999999999999999"))
                .endMetadata()
                .withNewSpec()
                .withContainers(Stage.container("30/1"))
                .endSpec()
                .build());

        assertThat(Stage.chosen(stage.filter(pod, "n=100/4"))).isEqualTo("n");
        assertThat(stage.annotations(pod))
                .containsEntry("tencent.com/gpu-assigned", "false")
                .containsEntry(Stage.INDEX + "0", "0")
                .doesNotContainKey(Stage.INDEX + "7");
    }

    @Test
    void aBoundPodThatDoesNotSayWhichDeviceItHasIsChargedToTheNode() {
        stage.node("n", 200, 8);
        var stranger = stage.pod("stranger", "100");
        stage.bind(stranger, "n");
        Stage.await("the ledger to show it", () -> stage.held("n") == 1);

        assertThat(Stage.chosen(stage.filter(stage.pod("two", "200"), "n"))).isEqualTo("none");
        assertThat(Stage.chosen(stage.filter(stage.pod("one", "100"), "n"))).isEqualTo("n");
    }

    @Test
    void anIndexThatMakesNoSenseIsAnUnknownDevice() {
        stage.node("n", 100, 4);
        var negative = stage.create(new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("negative")
                .addToAnnotations(Stage.INDEX + "0", "-1")
                .endMetadata()
                .withNewSpec()
                .withContainers(Stage.container("60/1"))
                .endSpec()
                .build());
        stage.bind(negative, "n");
        Stage.await("the ledger to show it", () -> stage.held("n") == 1);

        assertThat(Stage.chosen(stage.filter(stage.pod("large", "50/1"), "n"))).isEqualTo("none");
        assertThat(Stage.chosen(stage.filter(stage.pod("small", "40/1"), "n"))).isEqualTo("n");
    }

    @Test
    void initContainersAndSidecarsCount() {
        var pod = stage.create(new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("init")
                .endMetadata()
                .withNewSpec()
                .withContainers(Stage.container("40/1"))
                .addToInitContainers(new ContainerBuilder(Stage.container("20/1"))
                        .withName("sidecar")
                        .withRestartPolicy("Always")
                        .build())
                .addToInitContainers(new ContainerBuilder(Stage.container("70/1"))
                        .withName("prepare")
                        .build())
                .endSpec()
                .build());

        assertThat(Stage.chosen(stage.filter(pod, "n=100/4"))).isEqualTo("n");
        assertThat(stage.annotations(pod))
                .containsEntry(Stage.INDEX + "0", "0")
                .containsEntry(Stage.INDEX + "init-0", "0")
                .containsEntry(Stage.INDEX + "init-1", "0");
        assertThat(Stage.chosen(stage.filter(stage.pod("eleven", "11/1"), "n=100/4")))
                .isEqualTo("none");
        assertThat(Stage.chosen(stage.filter(stage.pod("ten", "10/1"), "n=100/4")))
                .isEqualTo("n");
    }

    @Test
    void aPodThatIsGoneIsNotDecidedOn() {
        var pod = stage.pod("gone", "100");
        stage.remove(pod);

        assertThat(Stage.chosen(stage.filter(pod, "n=100/4"))).isEqualTo("error: pod default/gone is gone");
        Stage.await("nothing to be held", () -> stage.held("n") == 0);
    }

    @Test
    void namesAndWholeNodesSeeTheSameHoldings() {
        stage.node("n", 100, 4);
        assertThat(Stage.chosen(stage.filter(stage.pod("p1", "60/1"), "n"))).isEqualTo("n");
        assertThat(Stage.chosen(stage.filter(stage.pod("p2", "60/1"), "n=100/4")))
                .isEqualTo("none");
        assertThat(Stage.chosen(stage.filter(stage.pod("p3", "40/1"), "n=100/4")))
                .isEqualTo("n");
    }
}
