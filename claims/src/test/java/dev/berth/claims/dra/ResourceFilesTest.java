package dev.berth.claims.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.file.FileSchedule;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.policy.Listed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files as people write them: templates, claims that pods share, extended resources, mistakes. */
class ResourceFilesTest {
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.example.com}
            spec:
              selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]
              extendedResourceName: example.com/gpu
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: n1-gpus}
            spec:
              driver: gpu.example.com
              pool: {name: n1, generation: 1, resourceSliceCount: 1}
              nodeName: n1
              devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: one, namespace: default}
            spec:
              metadata: {labels: {made: here}}
              spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: shared, namespace: default}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
            ---
            """;

    private static String pod(String name, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  resourceClaims: [{name: gpu, %s}]
                  containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]
                ---
                """.formatted(name, claim);
    }

    private static FileSchedule.Result run(String text) {
        return FileSchedule.run(Manifests.read("test.yaml", text), List.of(), new Listed());
    }

    private static JsonNode written(FileSchedule.Result result, String name) {
        return result.written().stream()
                .filter(object -> object.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTemplateMakesEachPodAClaimOfItsOwn() {
        var result =
                run(CLUSTER + pod("a", "resourceClaimTemplateName: one") + pod("b", "resourceClaimTemplateName: one"));

        var first = written(result, "a-gpu");
        assertThat(first.at("/status/allocation/devices/results/0/device").asText())
                .isEqualTo("gpu-0");
        assertThat(first.at("/status/reservedFor/0/name").asText()).isEqualTo("a");
        assertThat(first.at("/status/reservedFor/0/resource").asText()).isEqualTo("pods");
        assertThat(first.at("/metadata/labels/made").asText()).isEqualTo("here");
        assertThat(first.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("a");
        assertThat(written(result, "a")
                        .at("/status/resourceClaimStatuses/0/resourceClaimName")
                        .asText())
                .isEqualTo("a-gpu");
        assertThat(written(result, "a").at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThat(written(result, "b-gpu")
                        .at("/status/allocation/devices/results/0/device")
                        .asText())
                .isEqualTo("gpu-1");
    }

    @Test
    void podsThatShareAClaimAreBothAmongItsConsumers() {
        var result = run(CLUSTER + pod("a", "resourceClaimName: shared") + pod("b", "resourceClaimName: shared"));

        var claim = written(result, "shared");
        assertThat(claim.at("/status/allocation/devices/results")).hasSize(1);
        assertThat(claim.at("/status/reservedFor")).hasSize(2);
    }

    @Test
    void aClaimThatIsNotThereIsNamed() {
        assertThat(run(CLUSTER + pod("a", "resourceClaimName: gone"))
                        .outcomes()
                        .getFirst()
                        .words())
                .contains("resourceclaim \"gone\" not found");
    }

    @Test
    void aTemplateThatIsNotThereIsNamed() {
        assertThat(run(CLUSTER + pod("a", "resourceClaimTemplateName: gone"))
                        .outcomes()
                        .getFirst()
                        .words())
                .contains("resourceclaimtemplate \"gone\" not found");
    }

    @Test
    void aClaimThatAContainerUsesMustBeThePods() {
        var text = pod("a", "resourceClaimName: shared").replace("claims: [{name: gpu}]", "claims: [{name: other}]");

        assertThat(run(CLUSTER + text).outcomes().getFirst().words())
                .contains("the container main uses the claim other, which the pod does not have");
    }

    @Test
    void aPodDoesNotMixTheTwoLanguages() {
        var text = pod("a", "resourceClaimName: shared").replace("spec:", "spec:\n  deviceClaims: {claimName: proto}");

        assertThat(run(CLUSTER + text).outcomes().getFirst().words()).contains("a pod has one or the other");
    }

    @Test
    void anExtendedResourceIsMetByTheDevicesOfItsClass() {
        var result = run(CLUSTER + """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: default}
                spec:
                  initContainers:
                  - {name: prepare, image: none, resources: {requests: {example.com/gpu: 2}}}
                  containers:
                  - {name: main, image: none, resources: {requests: {example.com/gpu: 1, cpu: 1}}}
                """);

        var claim = written(result, "a-extended-resources");
        assertThat(claim.at("/metadata/annotations").toString())
                .contains("resource.kubernetes.io/extended-resource-claim");
        assertThat(claim.at("/status/allocation/devices/results")).hasSize(2);
        assertThat(written(result, "a")
                        .at("/status/extendedResourceClaimStatus/requestMappings")
                        .toString())
                .contains("\"containerName\":\"main\"", "\"requestName\":\"container-1-request-1\"")
                .contains("\"containerName\":\"prepare\"", "\"requestName\":\"container-0-request-0\"");
    }

    @Test
    void anExtendedResourceThatTheNodeHasNeedsNoDevices() {
        var plugin = CLUSTER.replace(
                "metadata: {name: n1}\n",
                "metadata: {name: n1}\nstatus: {allocatable: {cpu: 8, pods: 10, example.com/gpu: 1}}\n");

        var result = run(plugin + """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: default}
                spec:
                  containers:
                  - {name: main, image: none, resources: {requests: {example.com/gpu: 1}}}
                """);

        assertThat(result.allPlaced()).isTrue();
        assertThat(result.written()).hasSize(1);
    }

    @Test
    void anExtendedResourceOfWhichThereIsTooLittleWaits() {
        var result = run(CLUSTER + """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, namespace: default}
                spec:
                  containers:
                  - {name: main, image: none, resources: {requests: {deviceclass.resource.kubernetes.io/gpu.example.com: 4}}}
                """);

        assertThat(result.outcomes().getFirst().words()).contains("container-0-request-0 wants 4 devices");
    }

    @Test
    void aFieldThatIsMisspeltIsNotLost() {
        var text = CLUSTER.replace("exactly: {deviceClassName", "exactly: {deviceClasName");

        assertThatThrownBy(() -> run(text))
                .isInstanceOf(ManifestException.class)
                .message()
                .contains("test.yaml: document 4", "deviceClasName: there is no such field");
    }

    @Test
    void anOlderVersionIsNotRead() {
        assertThatThrownBy(() -> run(CLUSTER.replace("resource.k8s.io/v1", "resource.k8s.io/v1beta1")))
                .isInstanceOf(ManifestException.class)
                .message()
                .contains("resource.k8s.io/v1beta1 is not read; write it as resource.k8s.io/v1");
    }

    @Test
    void aSelectorThatIsNotCelIsRefusedWithItsDocument() {
        assertThatThrownBy(() -> run(CLUSTER.replace("device.driver ==", "device.drivr ==")))
                .isInstanceOf(ManifestException.class)
                .message()
                .contains("test.yaml: document 2", "CEL compile error", "drivr");
    }
}
