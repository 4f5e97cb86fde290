package dev.berth.kube.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many GPUs a pod has that goes by number, as Kubernetes counts them. */
class CountedPodsTest {
    @Test
    void containersHoldTheirsTogether() {
        assertThat(CountedPods.gpus(pod(List.of(), List.of(asking(1), asking(2)))))
                .isEqualTo(3);
    }

    @Test
    void whoPreparesHoldsHisBeforeTheOthers() {
        assertThat(CountedPods.gpus(pod(List.of(asking(4), asking(2)), List.of(asking(3)))))
                .isEqualTo(4);
    }

    @Test
    void aSidecarRunsBesideTheContainersAndBesideWhoPreparesAfterIt() {
        assertThat(CountedPods.gpus(pod(List.of(sidecar(1), asking(3)), List.of(asking(1)))))
                .isEqualTo(4);
        assertThat(CountedPods.gpus(pod(List.of(asking(3), sidecar(1)), List.of(asking(1)))))
                .isEqualTo(3);
        assertThat(CountedPods.gpus(pod(List.of(sidecar(1)), List.of(asking(3)))))
                .isEqualTo(4);
    }

    private static Pod pod(List<Container> before, List<Container> together) {
        return new PodBuilder()
                .withNewSpec()
                .withInitContainers(before)
                .withContainers(together)
                .endSpec()
                .build();
    }

    private static Container sidecar(int gpus) {
        return new ContainerBuilder(asking(gpus)).withRestartPolicy("Always").build();
    }

    private static Container asking(int gpus) {
        return new ContainerBuilder()
                .withNewResources()
                .withLimits(Map.of("nvidia.com/gpu", new Quantity(Integer.toString(gpus))))
                .endResources()
                .build();
    }
}
