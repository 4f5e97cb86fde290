package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.node;
import static dev.berth.kube.fit.Examples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FreeResourcesTest {
    private static PodNeeds asking(String name, String requests) {
        return pod(name, "containers: [{name: c, image: i, resources: {requests: {%s}}}]".formatted(requests));
    }

    @Test
    void whatIsShortIsSaidInNumbers() {
        var node = node("n").with(asking("there", "cpu: 2500m, memory: 6Gi"));

        assertThat(FreeResources.shortages(asking("p", "cpu: 2, memory: 4Gi, nvidia.com/gpu: 3"), node))
                .extracting(Unfit::words)
                .containsExactlyInAnyOrder(
                        "Insufficient cpu (wants 2, 1500m of 4 free)",
                        "Insufficient memory (wants 4Gi, 2Gi of 8Gi free)",
                        "Insufficient nvidia.com/gpu (wants 3, 2 of 2 free)");
    }

    @Test
    void whatFitsExactlyFits() {
        assertThat(FreeResources.shortages(asking("p", "cpu: 4, memory: 8Gi, nvidia.com/gpu: 2"), node("n")))
                .isEmpty();
    }

    @Test
    void aNodeThatDoesNotKnowTheResourceHasNoneOfIt() {
        assertThat(FreeResources.shortages(asking("p", "example.com/fpga: 1"), node("n")))
                .extracting(Unfit::words)
                .containsExactly("Insufficient example.com/fpga (wants 1, 0 of 0 free)");
    }

    @Test
    void aNodeTakesOnlySoManyPods() {
        var node = node("n");
        for (int i = 0; i < 10; i++) {
            node = node.with(pod("p" + i, ""));
        }
        assertThat(FreeResources.shortages(pod("one-more", ""), node))
                .extracting(Unfit::words)
                .containsExactly("Too many pods (10 of 10)");
    }

    @Test
    void aPodThatLeftIsForgotten() {
        var node = node("n").with(asking("there", "cpu: 4")).without("uid-there");

        assertThat(node.taken()).isEqualTo(Resources.NONE);
        assertThat(FreeResources.shortages(asking("p", "cpu: 4"), node)).isEmpty();
    }

    @Test
    void aPodThatChangedCountsOnce() {
        var node = node("n").with(asking("there", "cpu: 1")).with(asking("there", "cpu: 2"));

        assertThat(node.taken().of("cpu")).isEqualTo(2000);
    }

    @Test
    void anInitContainerCountsIfItNeedsMoreThanTheRest() {
        var pod = pod("p", """
                containers: [{name: a, image: i, resources: {requests: {cpu: 1}}}, {name: b, image: i, resources: {requests: {cpu: 1}}}],
                initContainers: [{name: i, image: i, resources: {requests: {cpu: 3, memory: 1Gi}}}]""");

        assertThat(pod.requests().of("cpu")).isEqualTo(3000);
        assertThat(pod.requests().of("memory")).isEqualTo(1L << 30);
    }

    @Test
    void aSidecarRunsBesideTheContainersAndBesideLaterInitContainers() {
        var pod = pod("p", """
                containers: [{name: a, image: i, resources: {requests: {cpu: 1}}}],
                initContainers: [
                  {name: early, image: i, resources: {requests: {cpu: 2}}},
                  {name: side, image: i, restartPolicy: Always, resources: {requests: {cpu: 500m}}},
                  {name: late, image: i, resources: {requests: {cpu: 1200m}}}]""");

        assertThat(pod.requests().of("cpu")).isEqualTo(2000);
        var later = pod("q", """
                containers: [{name: a, image: i, resources: {requests: {cpu: 1}}}],
                initContainers: [
                  {name: side, image: i, restartPolicy: Always, resources: {requests: {cpu: 500m}}},
                  {name: late, image: i, resources: {requests: {cpu: 1200m}}}]""");
        assertThat(later.requests().of("cpu")).isEqualTo(1700);
    }

    @Test
    void theOverheadComesOnTopAndThePodsOwnRequestsReplaceTheSum() {
        var pod = pod("p", """
                containers: [{name: a, image: i, resources: {requests: {cpu: 1, memory: 1Gi}}}],
                resources: {requests: {cpu: 3}}, overhead: {cpu: 250m}""");

        assertThat(pod.requests().of("cpu")).isEqualTo(3250);
        assertThat(pod.requests().of("memory")).isEqualTo(1L << 30);
    }

    @Test
    void anAmountThatIsNoneIsNamed() {
        assertThatThrownBy(() -> asking("p", "cpu: lots"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lots");
    }
}
