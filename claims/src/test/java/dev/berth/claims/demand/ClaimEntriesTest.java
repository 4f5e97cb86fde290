package dev.berth.claims.demand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.Share;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimEntriesTest {
    private static Manifest manifest(String kind, String rest) {
        return Manifests.read(
                        "test.yaml",
                        "apiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: %s\nmetadata: {name: x}\n%s\n"
                                .formatted(kind, rest))
                .getFirst();
    }

    @Test
    void aDeviceThatIsHeldWholeStaysSoWhereItProvidesNothingOfSomeResource() {
        var pool = DevicePool.read(manifest("DevicePool", """
                spec:
                  driver: d
                  nodeName: n
                  devices:
                  - name: a
                    claimResourcesProvided: [{name: memory, capacity: 8Gi}, {name: encoders, capacity: 0}]"""));
        var claim = DeviceClaim.read(manifest("DeviceClaim", """
                spec: {devices: [{name: g, class: c}]}
                status:
                  allocations:
                  - {devicePoolName: x, deviceName: a, allocations: [{name: memory, allocation: 8Gi}]}"""));

        assertThat(ClaimEntries.of(claim, ClaimEntries.holder(claim), _ -> Optional.of(pool)))
                .extracting(line -> line.entry().share())
                .containsExactly(Share.WHOLE);
    }
}
