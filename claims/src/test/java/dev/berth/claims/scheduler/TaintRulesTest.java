package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The running scheduler and rules that taint devices from outside. */
class TaintRulesTest {
    private static final String ALL = "{}";
    private static final String FIRST = "{driver: gpu.example.com, pool: n1, device: gpu-0}";

    private final Stage stage = new Stage();
    private final ResourceStage resources = new ResourceStage(stage);

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void aPodWaitsWhileARuleForbidsItsDevicesAndNoLonger() {
        stage.node("n1", 0);
        resources.slice("n1", 2, "");
        resources.rule("broken", ALL, "NoSchedule");
        stage.scheduler("berth");
        resources.podWithClaim("p", "berth");

        assertThat(stage.awaitRefusal("p")).contains("gpu wants 1 device, of 2: 2 tainted, 0 free");
        resources.removeRule("broken");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void aRuleThatComesLaterIsHeeded() {
        stage.scheduler("berth");
        stage.node("n1", 0);
        resources.slice("n1", 2, "");
        resources.podWithClaim("first", "berth");
        stage.awaitNode("first");
        assertThat(resources.device("first-claim")).isEqualTo("n1/gpu-0");
        stage.delete("first");

        try (var world = new ClaimsWorld(stage.cluster())) {
            world.start();
            assertThat(world.awaitSynced(Duration.ofSeconds(20))).isTrue();
            resources.rule("broken", FIRST, "NoExecute");
            Stage.await(
                    "the rule is known",
                    () -> world.slices().devices(new NodeName("n1")).getFirst().taints().stream()
                            .anyMatch(taint -> taint.key().equals("example.com/broken")));
        }
        resources.podWithClaim("second", "berth");

        assertThat(stage.awaitNode("second")).isEqualTo("n1");
        assertThat(resources.device("second-claim")).isEqualTo("n1/gpu-1");
    }

    @Test
    void aRuleWithoutEffectForbidsNothing() {
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.rule("looked-at", ALL, "None");
        stage.scheduler("berth");
        resources.podWithClaim("p", "berth");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
    }

    @Test
    void aClaimMayTolerateARule() {
        stage.node("n1", 0);
        resources.slice("n1", 1, "");
        resources.rule("broken", FIRST, "NoSchedule");
        stage.scheduler("berth");
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: tolerant, namespace: default}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly: {deviceClassName: gpu, tolerations: [{key: example.com/broken, operator: Exists}]}
                """);
        resources.pod("p", "berth", "resourceClaimName: tolerant");

        assertThat(stage.awaitNode("p")).isEqualTo("n1");
        assertThat(resources
                        .claimNow("tolerant")
                        .at("/status/allocation/devices/results/0/tolerations/0/key")
                        .asText())
                .isEqualTo("example.com/broken");
    }

    @Test
    void rulesAreReadInTheVersionThatIsServed() {
        assertThat(SliceCatalogue.servedRules(stage.cluster(), Duration.ofSeconds(10)))
                .contains("v1beta2");
        assertThat(stage.cluster().serves("resource.k8s.io/v1alpha3", "devicetaintrules", Duration.ofSeconds(10)))
                .isFalse();
    }
}
