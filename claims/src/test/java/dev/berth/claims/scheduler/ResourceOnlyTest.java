package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The running scheduler on a cluster that has Kubernetes' own claims and not the prototype's. */
class ResourceOnlyTest {
    private final Stage stage = Stage.withoutPrototype();
    private final ResourceStage resources = new ResourceStage(stage);

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void theDeviceOfAClaimThatWentWithItsPodGoesToTheNext() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.podByNumber("first", 1);
        stage.awaitNode("first");
        resources.podByNumber("second", 1);
        stage.awaitRefusal("second");

        stage.delete("first");

        assertThat(stage.awaitNode("second")).isEqualTo("n1");
    }
}
