package dev.berth.claims.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every spelling is read, and the newest is written. */
class KindsTest {
    static Manifest manifest(String kind, String rest) {
        return Manifests.read(
                        "f.yaml",
                        "apiVersion: %s%nkind: %s%nmetadata: {name: n}%n%s".formatted(Group.API_VERSION, kind, rest))
                .getFirst();
    }

    private static String claim(String spec) {
        return DeviceClaim.read(manifest("DeviceClaim", "spec: " + spec))
                .json()
                .path("spec")
                .toString();
    }

    @Test
    void aClassIsReadFlatAndNestedAndInGoSpelling() {
        String nested = "{\"definition\":{\"driver\":\"d\",\"constraints\":\"true\"}}";
        for (String spec : new String[] {
            "{driver: d, constraints: 'true'}",
            "{definition: {driver: d, constraints: 'true'}}",
            "{definition: {Driver: d, constraints: 'true'}}"
        }) {
            assertThat(DeviceClass.read(manifest("DeviceClass", "spec: " + spec))
                            .json()
                            .path("spec")
                            .toString())
                    .isEqualTo(nested);
        }
    }

    @Test
    void sharedResourcesAreAListOrAMapAndHaveTwoNames() {
        String newest =
                DevicePool.read(manifest("DevicePool", """
                        spec:
                          driver: d
                          sharedResources: [{name: a, capacity: 2}]
                          devices: [{name: x, sharedResourcesConsumed: {a: 1}, claimResourcesProvided: [{name: m, capacity: 1Gi, blockSize: 1Mi}]}]
                        """)).json().path("spec").toString();
        String older =
                DevicePool.read(manifest("DevicePool", """
                        spec:
                          driver: d
                          sharedResources: {a: "2"}
                          devices: [{name: x, consumesSharedResources: {a: "1"}, providesClaimResources: [{name: m, capacity: 1024Mi, blockSize: 1024Ki}]}]
                        """)).json().path("spec").toString();
        assertThat(older).isEqualTo(newest).contains("sharedResourcesConsumed", "claimResourcesProvided", "1Gi", "1Mi");
    }

    @Test
    void countersAreFoundWhenOnlyZerosDiffer() {
        var pool = DevicePool.read(
                manifest(
                        "DevicePool",
                        "spec: {driver: d, sharedResources: {slice-0: 1, slice-10: 1}, devices: [{name: x, sharedResourcesConsumed: {slice-00: 1, slice-010: 1}}]}"));
        assertThat(pool.devices().getFirst().sharedResourcesConsumed()).containsOnlyKeys("slice-0", "slice-10");
    }

    @Test
    void aCountOfDevicesIsSaidInThreeWays() {
        String newest = claim("{devices: [{name: g, allOf: [{class: c, requests: {devices: 2}}]}]}");
        assertThat(claim("{devices: [{name: g, allOf: [{class: c, devices: 2}]}]}"))
                .isEqualTo(newest);
        assertThat(claim("{devices: [{name: g, class: c, devices: '2'}]}")).isEqualTo(newest);
        assertThat(newest)
                .isEqualTo(
                        "{\"devices\":[{\"name\":\"g\",\"allOf\":[{\"class\":\"c\",\"requests\":{\"devices\":\"2\"}}]}]}");
    }

    @Test
    void configAndConfigsAreOne() {
        assertThat(claim("{devices: [{name: g, class: c, config: [{apiVersion: v1, kind: K, name: x}]}]}"))
                .isEqualTo(claim(
                        "{devices: [{name: g, allOf: [{class: c, configs: [{apiVersion: v1, kind: K, name: x}]}]}]}"));
    }

    @Test
    void theOldestClaimIsOneDetail() {
        assertThat(claim("{deviceClass: c, minDeviceCount: 2, maxDeviceCount: 4, matchAttributes: [numa]}"))
                .isEqualTo("{\"devices\":[{\"name\":\"devices\",\"allOf\":[{\"class\":\"c\",\"maxDevices\":4,"
                        + "\"requests\":{\"devices\":\"2\"},\"matchAttributes\":[\"numa\"]}]}]}");
        assertThat(DevicePool.read(manifest("DevicePool", "spec: {driver: d, count: 3}"))
                        .devices())
                .extracting(DevicePool.Device::name)
                .containsExactly("dev-00", "dev-01", "dev-02");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "DeviceClass | spec: {drivr: d} | line 4: spec.drivr: is not known here",
                "DeviceClass | spec: {driver: d, selector: {}} | line 4: spec: is either a selector or a definition, not both",
                "DeviceClass | spec: {} | line 4: spec: needs a driver",
                "DeviceClass | status: {} | needs the field spec",
                "DeviceClass | spec: {selector: {matchExpressions: [{key: a, operator: Is}]}} | operator: must be In, NotIn",
                "DeviceClaim | spec: {devices: []} | spec.devices: must ask for something",
                "DeviceClaim | spec: {devices: 2} | spec.devices: must be a list, not 2",
                "DeviceClaim | spec: {devices: [{name: g}]} | spec.devices[0]: needs a class, allOf or oneOf",
                "DeviceClaim | spec: {devices: [{name: g, class: a, allOf: [{class: b}]}]} | spec.devices[0]: has allOf or oneOf, and beside them",
                "DeviceClaim | spec: {devices: [{name: g, class: a, allowShared: true, requests: {mem: 0}}]} | spec.devices[0]: has allowShared, and requests that do not say how much it takes",
                "DeviceClaim | spec: {devices: [{name: g, class: a},{name: g, class: a}]} | spec.devices[1]: is a second entry called g",
                "DeviceClaim | spec: {devices: [{name: g, class: a, requests: {devices: 0}}]} | requests 0 devices",
                "DeviceClaim | spec: {devices: [{name: g, class: a, requests: {devices: 1.5}}]} | requests 1500m devices",
                "DeviceClaim | spec: {devices: [{name: g, class: a, requests: {memory: much}}]} | spec.devices[0].requests.memory: must be a quantity such as 2 or 16Gi, not 'much'",
                "DeviceClaim | spec: {devices: [{name: g, class: a, requests: {memory: -1}}]} | memory: must not be negative",
                "DeviceClaim | spec: {devices: [{name: g, class: a, devices: 2, requests: {devices: 3}}]} | says 2 devices, and requests say 3",
                "DeviceClaim | spec: {devices: [{name: g, class: a, maxDevices: 1, devices: 2}]} | allows at most 1 devices and needs at least 2",
                "DeviceClaim | spec: {devices: [{name: g, class: a, allowShared: true}]} | has allowShared, and requests that do not say how much",
                "DeviceClaim | spec: {devices: [{name: g, class: a, config: [], configs: []}]} | is another spelling of config",
                "DevicePool | spec: {driver: d} | spec: needs devices",
                "DevicePool | spec: {driver: d, devices: [{name: a},{name: a}]} | spec.devices[1]: is a second device called a",
                "DevicePool | spec: {driver: d, devices: [{name: a, sharedResourcesConsumed: {x: 1}}]} | consumes x, which is not one of the pool's sharedResources",
                "DevicePool | spec: {driver: d, devices: [{name: a, attributes: [{name: n, intValue: x}]}]} | intValue: must be a whole number, not 'x'",
                "DevicePool | spec: {driver: d, devices: [], sharedResources: [{name: a, capacity: 1, blockSize: 0}]} | a block size must be more than zero",
                "DevicePrivilegedClaim | spec: {} | spec: needs the field driver",
                "DeviceDriver | deviceTypes: gpu | deviceTypes: must be a list, not 'gpu'",
            })
    void whatCannotBeUnderstoodIsNamed(String kind, String rest, String message) {
        assertThatThrownBy(() -> read(manifest(kind, rest)))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("f.yaml: document 1, line ")
                .hasMessageContaining(message);
    }

    static Object read(Manifest manifest) {
        return switch (manifest.kind()) {
            case DeviceClass.KIND -> DeviceClass.read(manifest);
            case DeviceClaim.KIND -> DeviceClaim.read(manifest);
            case DevicePool.KIND -> DevicePool.read(manifest);
            case DeviceDriver.KIND -> DeviceDriver.read(manifest);
            case DevicePrivilegedClaim.KIND -> DevicePrivilegedClaim.read(manifest);
            case "Pod" -> PodClaims.read(manifest);
            default -> throw new IllegalArgumentException(manifest.kind());
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | needs exactly one of devices, claimName and template, not 0",
                "{claimName: a, template: {claimName: b}} | needs exactly one of devices, claimName and template, not 2",
                "{devices: []} | deviceClaims.devices: must ask for something",
                "{devices: [{name: a}]} | needs the field class",
                "{devices: [{name: a, class: b},{name: a, class: b}]} | is a second entry called a",
                "{template: {claim: b}} | deviceClaims.template: needs the field claimName",
            })
    void aPodClaimsInExactlyOneWay(String claims, String message) {
        var pod = Manifests.read(
                        "p.yaml",
                        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [], deviceClaims: %s}}"
                                .formatted(claims))
                .getFirst();
        assertThatThrownBy(() -> PodClaims.read(pod))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theAnnotationMustBeJsonAndStandAlone() {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, annotations: {devmgmtproto.k8s.io/device-claims: '%s'}}
                spec: {containers: [{name: c}]%s}
                """;
        assertThatThrownBy(() -> PodClaims.read(
                        Manifests.read("p.yaml", pod.formatted("{", "")).getFirst()))
                .hasMessageContaining("device-claims is not JSON");
        assertThatThrownBy(() -> PodClaims.read(Manifests.read("p.yaml", pod.formatted("{\"deviceClaim\":{}}", ""))
                        .getFirst()))
                .hasMessageContaining(
                        "p.yaml: document 1: devmgmtproto.k8s.io/device-claims: needs the field deviceClaims");
        assertThatThrownBy(() ->
                        PodClaims.read(Manifests.read("p.yaml", pod.formatted("{}", ", deviceClaims: {claimName: x}"))
                                .getFirst()))
                .hasMessageContaining("give only one of them");
    }
}
