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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .isEqualTo("test.yaml: document 4, line 26: spec.spec.devices.requests[0].exactly.deviceClasName:"
                        + " there is no such field");
    }

    /** What a server would refuse is told with its field and line, and not found out half-way. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "ResourceClaim | spec: {devices: {requests: [{exactly: {}}]}} | spec.devices.requests[0]: needs the field name",
                "ResourceClaim | spec: {devices: {requests: [null]}} | spec.devices.requests[0]: must be an object, not nothing",
                "ResourceClaim | spec: {devices: {requests: [{name: r},{name: r}]}} | spec.devices.requests[1].name: is a second one called r",
                "ResourceClaim | spec: {devices: {requests: [{name: r, firstAvailable: [{}]}]}} | spec.devices.requests[0].firstAvailable[0]: needs the field name",
                "ResourceClaim | spec: {devices: {requests: [{name: r, firstAvailable: [{name: s},{name: s}]}]}} | firstAvailable[1].name: is a second one called s",
                "ResourceClaim | spec: {devices: {requests: [{name: r, exactly: {}, firstAvailable: [{name: s}]}]}} | spec.devices.requests[0]: has exactly and firstAvailable",
                "ResourceClaim | spec: {devices: {requests: [{name: r, exactly: {capacity: {requests: {m: lots}}}}]}} | exactly.capacity.requests.m: must be a quantity such as 2 or 16Gi, not 'lots'",
                "ResourceClaim | spec: {devices: {requests: [{name: r, exactly: {capacity: {requests: {m: null}}}}]}} | exactly.capacity.requests.m: must be a quantity",
                "ResourceClaim | spec: {devices: {requests: [{name: r, exactly: {selectors: [{cel: {expression: 'device.'}}]}}]}} | spec.devices.requests[0].exactly.selectors[0].cel.expression: CEL compile error",
                "ResourceClaimTemplate | spec: {} | spec: needs the field spec",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: {name: a}} | spec.devices: must be a list, not an object",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a, attributes: {x: {int: y}}}]} | spec.devices[0].attributes.x.int: is not a ResourceSlice that a server would take",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [null]} | spec.devices[0]: must be an object, not nothing",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{}]} | spec.devices[0]: needs the field name",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a/b}]} | spec.devices[0].name: must not have a slash in it",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a, attributes: {x: null}}]} | spec.devices[0].attributes.x: must be an object, not nothing",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a, capacity: {m: {}}}]} | spec.devices[0].capacity.m: needs the field value",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a, capacity: {m: {value: x}}}]} | spec.devices[0].capacity.m.value: must be a quantity",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, devices: [{name: a, capacity: {m: {value: 1, requestPolicy: {validValues: [x]}}}}]} | requestPolicy.validValues[0]: must be a quantity",
                "ResourceSlice | spec: {driver: d, pool: {name: p}, sharedCounters: [{name: s, counters: {m: {}}}]} | spec.sharedCounters[0].counters.m: needs the field value",
                "DeviceTaintRule | spec: {deviceSelector: {drvier: d}, taint: {key: k, effect: NoSchedule}} | spec.deviceSelector.drvier: is not known here",
                "DeviceTaintRule | spec: {deviceSelector: {}, taint: {key: k, effect: NoSchedul}} | spec.taint.effect: must be one of None, NoSchedule, NoExecute, not 'NoSchedul'",
                "DeviceTaintRule | metadata2: {} | needs the field spec",
            })
    void whatAServerWouldRefuseIsToldWithItsField(String kind, String rest, String why) {
        var text = "apiVersion: resource.k8s.io/v1\nkind: %s\nmetadata: {name: x}\n%s\n".formatted(kind, rest);

        assertThatThrownBy(() -> run(CLUSTER + text))
                .isInstanceOf(ManifestException.class)
                .message()
                .startsWith("test.yaml: document 6, line ")
                .contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Pod | spec: {containers: [null]} | spec.containers[0]: must be an object, not nothing",
                "Pod | spec: {containers: [{name: c, resources: {requests: {cpu: null}}}]} | requests.cpu: must be a quantity",
                "Pod | spec: {resourceClaims: [{resourceClaimName: c}], containers: []} | spec.resourceClaims[0]: needs the field name",
                "Node | status: {allocatable: x} | status.allocatable: must be an object, not 'x'",
            })
    void whatIsWrongWithPodsAndNodesIsToldWithItsField(String kind, String rest, String why) {
        assertThatThrownBy(() -> run("apiVersion: v1\nkind: %s\nmetadata: {name: x}\n%s\n".formatted(kind, rest)))
                .isInstanceOf(ManifestException.class)
                .message()
                .startsWith("test.yaml: document 1, line ")
                .contains(why);
    }

    @Test
    void aPoolThatCannotBeUsedIsNamedAmongTheReasons() {
        var result = run(CLUSTER.replace("resourceSliceCount: 1", "resourceSliceCount: 2")
                + pod("p", "resourceClaimName: shared"));

        assertThat(result.outcomes().getFirst().words())
                .isEqualTo("default/p: not placed: n1: no devices (resource pool gpu.example.com/n1 is being updated:"
                        + " 1 of its 2 slices are there)");
    }

    @Test
    void aClaimThatAsksForNothingGetsNothingAndKeepsNobodyAway() {
        var result = run(CLUSTER + """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: nothing}
                spec: {}
                ---
                """ + pod("p", "resourceClaimName: nothing"));

        assertThat(result.allPlaced()).isTrue();
    }

    @Test
    void ofTwoClassesForOneResourceTheNewerServesIt() {
        var result = run(CLUSTER.replace("metadata: {name: gpu.example.com}", """
                metadata: {name: gpu.example.com, creationTimestamp: "2026-01-01T00:00:00Z"}""") + """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: successor, creationTimestamp: "2026-01-02T00:00:00Z"}
                spec: {extendedResourceName: example.com/gpu}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {containers: [{name: main, image: none, resources: {requests: {example.com/gpu: 1}}}]}
                """);

        assertThat(written(result, "p-extended-resources")
                        .at("/spec/devices/requests/0/exactly/deviceClassName")
                        .asText())
                .isEqualTo("successor");
    }

    @Test
    void aTaintRuleWithoutASelectorConcernsNoDevice() {
        var rule = """
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: r}
                spec: {%s taint: {key: k, effect: NoSchedule}}
                ---
                """;

        assertThat(run(CLUSTER + rule.formatted("") + pod("p", "resourceClaimName: shared"))
                        .allPlaced())
                .isTrue();
        assertThat(run(CLUSTER + rule.formatted("deviceSelector: {},") + pod("p", "resourceClaimName: shared"))
                        .allPlaced())
                .isFalse();
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
                .startsWith("test.yaml: document 2, line 9: spec.selectors[0].cel.expression: CEL compile error")
                .contains("drivr");
    }
}
