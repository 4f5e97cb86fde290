package dev.berth.claims.dra.demand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.claims.dra.pool.Stock;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.demand.NodeFit;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** For each request: how many devices were looked at, and what removed them. */
class InspectionTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final NodeName NODE = new NodeName("n1");
    private static final DeviceClass CLASS = YAML.unmarshal("""
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {selectors: [{cel: {expression: "device.attributes['d.example.com'].type == 'gpu'"}}]}
            """, DeviceClass.class);

    private static Stock stock(String devices, String counters) {
        var slice = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: s%s}
                spec:
                  driver: d.example.com
                  pool: {name: n1, generation: 1, resourceSliceCount: %d}
                  nodeName: n1
                  %s
                """;
        var with = YAML.unmarshal(
                slice.formatted("1", counters.isEmpty() ? 1 : 2, "devices: " + devices), ResourceSlice.class);
        return counters.isEmpty()
                ? Stock.of(List.of(with), List.of(), List.of())
                : Stock.of(
                        List.of(
                                with,
                                YAML.unmarshal(
                                        slice.formatted("2", 2, "sharedCounters: " + counters), ResourceSlice.class)),
                        List.of(),
                        List.of());
    }

    private static List<String> inspect(Stock stock, String requests, Map<String, Share> held)
            throws UnusableClaimException {
        var inventory = stock.onto(Inventory.EMPTY, List.of(NODE));
        var claims = new LinkedHashMap<String, ResourceClaim>();
        claims.put("c", YAML.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: c, namespace: default}
                spec: {devices: {requests: %s}}
                """.formatted(requests), ResourceClaim.class));
        var demand = PodDemand.of(
                "default/p",
                "uid",
                claims,
                new PodDemand.Surroundings(_ -> Optional.of(CLASS), stock, inventory, _ -> Optional.empty()),
                NodeFit.ANY);
        var page = Holdings.EMPTY;
        for (var each : held.entrySet()) {
            var holder = new Holder(Door.CLAIMS, "default", "pod", "claim-uid", Optional.of("claim-uid"));
            page = page.recording(
                    Entry.confirmed(new DeviceId("d.example.com/n1/" + each.getKey()), holder, each.getValue()));
        }
        return new Inspection(inventory, Ledger.EMPTY.with(NODE, page), _ -> "claim default/other")
                .of(NODE, demand.demand().asks());
    }

    @Test
    void everyDeviceIsToldUnderWhatRemovedIt() throws UnusableClaimException {
        var stock = stock("""
                [{name: nic, attributes: {type: {string: nic}}},
                 {name: small, attributes: {type: {string: gpu}, size: {int: 1}}},
                 {name: sick, attributes: {type: {string: gpu}, size: {int: 8}}, taints: [{key: sick, effect: NoExecute}]},
                 {name: taken, attributes: {type: {string: gpu}, size: {int: 8}}},
                 {name: free, attributes: {type: {string: gpu}, size: {int: 8}}}]""", "");

        var lines = inspect(
                stock,
                "[{name: large, exactly: {deviceClassName: gpu, selectors: [{cel: {expression:"
                        + " \"device.attributes['d.example.com'].size > 4\"}}]}}, {name: any, exactly: {deviceClassName: gpu}}]",
                Map.of("taken", Share.WHOLE));

        assertThat(lines)
                .containsExactly(
                        "large: 5 looked at; 1 removed: class gpu selector #0: does not meet"
                                + " device.attributes['d.example.com'].type == 'gpu' (type is nic); 1 removed: request"
                                + " selector #0: does not meet device.attributes['d.example.com'].size > 4 (size is 1);"
                                + " 1 removed: taint sick:NoExecute; 1 removed: held by claim default/other; 1 left",
                        "any: 5 looked at; 1 removed: class gpu selector #0: does not meet"
                                + " device.attributes['d.example.com'].type == 'gpu' (type is nic); 1 removed: taint"
                                + " sick:NoExecute; 1 removed: held by claim default/other; 2 left");
    }

    @Test
    void alternativesAreToldApart() throws UnusableClaimException {
        var stock = stock("[{name: a, attributes: {type: {string: gpu}}}]", "");

        assertThat(inspect(
                        stock,
                        "[{name: r, firstAvailable: [{name: two, deviceClassName: gpu, count: 2}, {name: one, deviceClassName: gpu}]}]",
                        Map.of()))
                .containsExactly("r/two: 1 looked at; 1 left", "r/one: 1 looked at; 1 left");
    }

    @Test
    void whatDevicesShareRunsOut() throws UnusableClaimException {
        var consumes = "consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]";
        var stock = stock(
                "[{name: a, attributes: {type: {string: gpu}}, %s}, {name: b, attributes: {type: {string: gpu}}, %s}]"
                        .formatted(consumes, consumes),
                "[{name: card, counters: {memory: {value: 60Gi}}}]");

        assertThat(inspect(stock, "[{name: r, exactly: {deviceClassName: gpu}}]", Map.of("a", Share.WHOLE)))
                .singleElement()
                .asString()
                .startsWith("r: 2 looked at; 1 removed: held by claim default/other; 1 removed: counter ")
                .contains("memory", "wanted")
                .endsWith("left; 0 left");
    }

    @Test
    void aSharedDeviceHasTooLittleLeft() throws UnusableClaimException {
        var stock = stock("""
                [{name: a, allowMultipleAllocations: true, attributes: {type: {string: gpu}},
                  capacity: {memory: {value: 10Gi}}}]""", "");

        assertThat(inspect(
                        stock,
                        "[{name: r, exactly: {deviceClassName: gpu, capacity: {requests: {memory: 8Gi}}}}]",
                        Map.of("a", new Share.Part(new java.util.TreeMap<>(Map.of("memory", Quantity.parse("4Gi")))))))
                .singleElement()
                .asString()
                .contains("1 removed: ", " memory wanted, ", " left beside claim default/other; 0 left");
    }
}
