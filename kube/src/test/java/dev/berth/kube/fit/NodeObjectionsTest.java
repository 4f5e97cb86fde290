package dev.berth.kube.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeObjectionsTest {
    private static final NodeName NODE = new NodeName("n1");

    @Test
    void aCordonedNodeIsToldHowToBeOpenedAgain() {
        var objection = NodeObjections.of(NODE, new Unfit(Cordon.CODE, Cordon.UNSCHEDULABLE, "cordoned").words());

        assertThat(objection.group()).isEqualTo("cordoned");
        assertThat(objection.remedy()).isEqualTo("kubectl uncordon n1");
    }

    @Test
    void shortagesAreGroupedByResourceAndToldInNumbers() {
        var objection = NodeObjections.of(
                NODE,
                List.of(
                        new Unfit(FreeResources.CODE, "Insufficient cpu", "wants 4, 1 of 8 free"),
                        new Unfit(FreeResources.CODE, "Insufficient memory", "wants 8Gi, 1Gi of 16Gi free")));

        assertThat(objection.group()).isEqualTo("Insufficient cpu, Insufficient memory");
        assertThat(objection.sentence()).contains("wants 4, 1 of 8 free").contains("wants 8Gi");
    }
}
