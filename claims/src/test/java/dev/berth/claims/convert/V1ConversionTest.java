package dev.berth.claims.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class V1ConversionTest {
    private static V1Conversion.Result convert(String... files) throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (String file : files) {
            manifests.addAll(Manifests.read(file, Files.readString(Path.of("../examples/claims", file))));
        }
        return V1Conversion.of(manifests);
    }

    private static ObjectNode object(V1Conversion.Result result, String kind, String name) {
        return result.objects().stream()
                .filter(each -> each.path("kind").asText().equals(kind)
                        && each.path("metadata").path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String selector(ObjectNode deviceClass) {
        return deviceClass.at("/spec/selectors/0/cel/expression").asText();
    }

    @Test
    void constraintsThatAreNoCelAreToldWithTheirFieldAndLine() {
        var text = """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: c}
                spec:
                  driver: d
                  constraints: "device.a = 1"
                """;

        assertThatThrownBy(() -> V1Conversion.of(Manifests.read("test.yaml", text)))
                .isInstanceOf(ManifestException.class)
                .message()
                .startsWith("test.yaml: document 1, line 6: spec.constraints: the constraints device.a = 1");
    }

    @Test
    void constraintsBecomeSelectorsThatKnowTypesAndMissingAttributes() throws IOException {
        var result = convert("classes.yaml", "pools-nics.yaml");
        assertThat(selector(object(result, "DeviceClass", "example.com-nic-10g")))
                .isEqualTo("device.driver == \"sriov-nic\" && has(device.capacity[\"sriov-nic\"].bandwidth)"
                        + " && ((device.capacity[\"sriov-nic\"].bandwidth.compareTo(quantity(\"10G\")) >= 0))");
        assertThat(selector(object(result, "DeviceClass", "example.com-gpu")))
                .startsWith("(device.driver == \"example.com-barzer\") || (device.driver == \"example.com-foozer\")");
    }

    @Test
    void aPoolIsASliceOfCountersAndSlicesOfDevices() throws IOException {
        var result = convert("pools-nics.yaml");
        assertThat(object(result, "ResourceSlice", "node-00-nic0-0")
                        .at("/spec/sharedCounters/0/counters/functions-0/value")
                        .asText())
                .isEqualTo("2");
        var devices = object(result, "ResourceSlice", "node-00-nic0-1").path("spec");
        assertThat(devices.at("/pool/resourceSliceCount").asInt()).isEqualTo(2);
        assertThat(devices.at("/devices/2/consumesCounters/0/counters/functions-0/value")
                        .asText())
                .isEqualTo("1");
        assertThat(devices.at("/devices/2/capacity/bandwidth/value").asText()).isEqualTo("1G");
    }

    @Test
    void aClaimAndItsPodAreTranslatedTogether() throws IOException {
        var result = convert("classes.yaml", "pod-best-available.yaml", "pod-two-gpus-one-root.yaml");
        var requests = object(result, "ResourceClaimTemplate", "template-best-available")
                .at("/spec/spec/devices");
        assertThat(requests.at("/requests/0/firstAvailable")).hasSize(3);
        assertThat(requests.at("/constraints/0/matchAttribute").asText()).isEqualTo("resource.kubernetes.io/pcieRoot");
        assertThat(requests.at("/constraints/0/requests/0").asText()).isEqualTo("gpu/option-2");
        var pod = object(result, "Pod", "best-available");
        assertThat(pod.at("/spec/resourceClaims/0/resourceClaimTemplateName").asText())
                .isEqualTo("template-best-available");
        assertThat(pod.at("/spec/containers/0/resources/claims/0").toString())
                .isEqualTo("{\"name\":\"devices\",\"request\":\"gpu\"}");
        assertThat(pod.at("/spec").has("deviceClaims")).isFalse();
    }

    @Test
    void whatHasNoWordIsNamedAndLeftOut() throws IOException {
        var result =
                convert("drivers.yaml", "classes.yaml", "pod-split.yaml", "pod-same-model.yaml", "pod-tuned-gpu.yaml");
        assertThat(result.notes())
                .contains(
                        "DeviceDriver vlan: there is no such kind; left out",
                        "DeviceClaim default/template-split: requests over several devices together; left out",
                        "Pod split: its claim default/template-split is not among what could be written; left out")
                .anyMatch(note -> note.startsWith("DeviceClass example.com-foozer-tuned: settings are inline there"))
                .anyMatch(note -> note.contains("the attribute model is another one for each driver there"));
        assertThat(result.objects())
                .noneMatch(each -> each.path("metadata").path("name").asText().equals("split"));
    }
}
