package dev.berth.claims.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.claims.generate.Shapes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The acceptance cases on the prototype's own test data, where a copy of it is at hand; it is not part of this
 * repository.
 */
class SampleDataTest {
    private static Scenario scenario(String... names) {
        Path data = data();
        var scenario = new Scenario();
        for (String name : names) {
            scenario.file(data.resolve(name + ".yaml"));
        }
        return scenario;
    }

    private static Path data() {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            Path data = up.resolve("shared/data/k8srm-testdata");
            if (Files.isDirectory(data)) {
                return data;
            }
        }
        assumeTrue(false, "the prototype's test data is not here");
        throw new IllegalStateException();
    }

    private static final String SIMPLE = "pools-two-nodes-two-simple-gpus";
    private static final String NICS = "pools-one-node-sriov-0";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pod-one-container-one-gpu       | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00",
                "pod-one-container-two-gpus-0    | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                "pod-one-container-two-gpus-1    | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                "pod-two-containers-one-gpu      | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00",
                "pod-two-containers-two-gpus-0   | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                "pod-two-containers-two-gpus-1   | pools-two-nodes-two-simple-gpus | foozer@node-00: node-00-foozer/dev-00 node-00-foozer/dev-01",
                "pod-multi-net-0                 | pools-one-node-sriov-0 | my-pod@node-00: node-00-nic0/pf-0-vf-0",
                "pod-multi-net-1                 | pools-one-node-sriov-0 | my-pod@node-00: node-00-nic0/pf-0-vf-0 node-00-nic0/pf-0-vf-1 node-00-nic0/pf-1",
                "pod-multi-net-2                 | pools-one-node-sriov-0 | multi-net@node-00: node-00-nic0/pf-0-vf-0 node-00-nic0/pf-0-vf-1",
                "pod-multi-net-3                 | pools-one-node-sriov-0 | multi-net@node-00: node-00-nic0/pf-0-vf-0 node-00-nic0/pf-0-vf-1",
                "pod-multi-net-4                 | pools-one-node-sriov-0 | multi-net@node-00: node-00-nic0/pf-0-vf-0 node-00-nic0/pf-0-vf-1",
                "pod-multi-net-5                 | pools-one-node-sriov-1 | multi-net@node-00: node-001-nic-001/pf-0-vf-0",
            })
    void whatCanBeHadIsHad(String pod, String pools, String answer) {
        assertThat(scenario("classes", pools, pod).answers()).containsExactly(answer);
    }

    @ParameterizedTest
    @CsvSource({
        "pod-one-container-two-gpus-2, pools-two-nodes-two-simple-gpus",
        "pod-two-containers-two-gpus-2, pools-two-nodes-two-simple-gpus",
        "pod-one-container-gpu-priority-list, pools-two-nodes-two-simple-gpus",
        "pod-one-container-partial-gpu, pools-two-nodes-two-simple-gpus",
        "pod-one-container-split-allocation-gpus, pools-two-nodes-two-simple-gpus",
        "pod-one-container-shared-split-allocation-gpus, pools-two-nodes-two-simple-gpus",
        "pod-multi-net-8, pools-one-node-sriov-0"
    })
    void whatCannotBeHadIsRefusedWithAReasonForEveryNode(String pod, String pools) {
        assertThat(scenario("classes", pools, pod).answers())
                .singleElement()
                .asString()
                .startsWith("waiting: node-00: ");
    }

    @Test
    void theThirdPodGoesToTheSecondNode() {
        assertThat(scenario("classes", SIMPLE, "pod-one-container-one-gpu")
                        .again("-2")
                        .again("-3")
                        .answers())
                .startsWith(
                        "foozer@node-00: node-00-foozer/dev-00",
                        "foozer-2@node-00: node-00-foozer/dev-01",
                        "foozer-3@node-01: node-01-foozer/dev-00");
    }

    @Test
    void thePreferredModelIsTakenWhereThereIsOne() {
        var scenario = scenario("classes", "pod-one-container-gpu-priority-list");
        Shapes.pools(new Shapes.Order("foozer-4000-tiny", 2, OptionalInt.empty(), 0))
                .forEach(pool -> scenario.text("generated", pool.json().toString()));
        assertThat(scenario.answers())
                .containsExactly("foozer@foozer-4000-tiny-00: foozer-4000-tiny-00-pool-foozer/dev-00");
    }

    @Test
    void twoPodsShareOneGpu() {
        for (String pods : List.of("two-pods-one-gpu-0", "two-pods-one-gpu-1")) {
            var scenario = scenario("classes", SIMPLE, pods);
            assertThat(scenario.answers())
                    .containsExactly(
                            "foozer-0@node-00: node-00-foozer/dev-00", "foozer-1@node-00: node-00-foozer/dev-00");
            assertThat(Scenario.written(scenario.run(), "DeviceClaim", "my-shared-gpu")
                            .at("/status/podNames")
                            .toString())
                    .isEqualTo("[\"foozer-0\",\"foozer-1\"]");
        }
    }

    @Test
    void aPortInUseKeepsItsFunctionsBackAndQuantitiesCompare() {
        String claims = """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec: {containers: [{name: c, image: none}], deviceClaims: {devices: [{name: n, class: %s}]}}
                """;
        assertThat(scenario("classes", NICS)
                        .text("pf", claims.formatted("pf", "example.com-sriov-pf"))
                        .text("vf", claims.formatted("vf", "example.com-sriov-vf"))
                        .text("1g", claims.formatted("slow", "example.com-sriov-nic-1g"))
                        .text("10g", claims.formatted("fast", "example.com-sriov-nic-10g"))
                        .text("any", claims.formatted("any", "example.com-sriov-nic-1g-or-faster"))
                        .answers())
                .satisfiesExactly(
                        answer -> assertThat(answer).isEqualTo("pf@node-00: node-00-nic0/pf-0"),
                        answer -> assertThat(answer).isEqualTo("vf@node-00: node-00-nic0/pf-1-vf-0"),
                        answer -> assertThat(answer).isEqualTo("slow@node-00: node-00-nic0/pf-1-vf-1"),
                        answer -> assertThat(answer)
                                .startsWith("waiting: node-00: ")
                                .contains("device.bandwidth == '10G'"),
                        answer -> assertThat(answer).isEqualTo("any@node-00: node-00-nic1/pf-0"));
    }

    @Test
    void theGroupClassStandsForItsLeaves() {
        assertThat(scenario("classes", SIMPLE).text("own", """
                                apiVersion: v1
                                kind: Pod
                                metadata: {name: p}
                                spec: {containers: [{name: c, image: none}], deviceClaims: {devices: [{name: g, class: example.com-gpu}]}}
                                """).answers())
                .containsExactly("p@node-00: node-00-foozer/dev-00");
    }

    @Test
    void partitionsOfAnA100AreCutUntilItIsFull() {
        var scenario = scenario("pools-two-nodes-one-dgxa100").text("class", """
                        apiVersion: devmgmtproto.k8s.io/v1alpha1
                        kind: DeviceClass
                        metadata: {name: half}
                        spec: {driver: gpu.nvidia.com/dra, constraints: "device['mig-profile'] == '3g.20gb'"}
                        """);
        for (int i = 0; i < 3; i++) {
            scenario.text("pod", """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: p%d}
                    spec: {containers: [{name: c, image: none}], deviceClaims: {devices: [{name: g, class: half}]}}
                    """.formatted(i));
        }
        assertThat(scenario.answers())
                .containsExactly(
                        "p0@nvidia-00: nvidia-00-dgxa100/gpu-0-mig-3g.20gb-0",
                        "p1@nvidia-00: nvidia-00-dgxa100/gpu-0-mig-3g.20gb-4",
                        "p2@nvidia-01: nvidia-01-dgxa100/gpu-0-mig-3g.20gb-0");
    }
}
