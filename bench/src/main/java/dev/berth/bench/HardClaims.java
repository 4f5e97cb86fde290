package dev.berth.bench;

import dev.berth.claims.dra.demand.PodDemand;
import dev.berth.claims.dra.demand.UnusableClaimException;
import dev.berth.claims.dra.pool.Stock;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.policy.Listed;
import dev.berth.core.verdict.Refusal;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** One request too many: N+1 requests of one device each, of a node with N equal devices. */
public final class HardClaims {
    private static final int ROUNDS = 200;

    private HardClaims() {}

    public static void main(String[] arguments) throws UnusableClaimException {
        System.out.println("N+1 requests over N equal devices, until the refusal; a new allocator each time");
        for (int devices : new int[] {8, 9, 10, 16, 31}) {
            long first = refuse(devices);
            var times = new long[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                times[round] = refuse(devices);
            }
            Arrays.sort(times);
            System.out.printf(
                    "N=%-3d first %.2f ms   median %.3f ms   worst of %d %.2f ms%n",
                    devices, first / 1e6, times[ROUNDS / 2] / 1e6, ROUNDS, times[ROUNDS - 1] / 1e6);
            Result.of(
                            "claims: %d requests for %d devices refused".formatted(devices + 1, devices),
                            "ms",
                            times[ROUNDS / 2] / 1e6)
                    .tell();
        }
    }

    private static long refuse(int devices) throws UnusableClaimException {
        var node = new NodeName("node");
        var stock = stock(devices);
        var inventory = stock.onto(Inventory.EMPTY, List.of(node));
        var claims = new LinkedHashMap<String, ResourceClaim>();
        claims.put("claim", claim(devices + 1));
        var allocator = new Allocator();
        long start = System.nanoTime();
        var demand = PodDemand.of(
                "default/pod",
                "uid",
                claims,
                new PodDemand.Surroundings(_ -> Optional.of(anyDevice()), stock, inventory, _ -> Optional.empty()),
                NodeFit.ANY);
        var verdict = allocator.place(inventory, Ledger.EMPTY, demand.demand(), new Listed(), Deadline.NONE);
        long took = System.nanoTime() - start;
        if (!(verdict instanceof Refusal)) {
            throw new IllegalStateException("placed: " + verdict);
        }
        return took;
    }

    private static DeviceClass anyDevice() {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName("any")
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel("device.driver == 'dra.example.com'")
                .endSelector()
                .endSpec()
                .build();
    }

    private static Stock stock(int count) {
        List<Device> devices = IntStream.range(0, count)
                .mapToObj(number -> new DeviceBuilder().withName("d" + number).build())
                .toList();
        var slice = new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("slice")
                .endMetadata()
                .withNewSpec()
                .withDriver("dra.example.com")
                .withNodeName("node")
                .withNewPool(1L, "pool", 1L)
                .withDevices(devices)
                .endSpec()
                .build();
        return Stock.of(List.of(slice), List.of(), List.of());
    }

    private static ResourceClaim claim(int count) {
        List<DeviceRequest> requests = IntStream.range(0, count)
                .mapToObj(number -> new DeviceRequestBuilder()
                        .withName("r" + number)
                        .withNewExactly()
                        .withDeviceClassName("any")
                        .endExactly()
                        .build())
                .toList();
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName("claim")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .endDevices()
                .endSpec()
                .build();
    }
}
