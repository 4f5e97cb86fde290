package dev.berth.claims.dra.status;

import dev.berth.claims.api.Quantities;
import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.demand.Request;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.PoolId;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.claims.dra.pool.SlicePool;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaimConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Writes the engine's answer as the allocation of a claim. */
public final class Allocations {
    private static final String FROM_CLASS = "FromClass";
    private static final String FROM_CLAIM = "FromClaim";

    private final Function<dev.berth.core.DeviceId, Optional<SlicePool.Published>> published;
    private final Function<String, Optional<DeviceClass>> classes;
    private final Supplier<String> ids;

    /** @param ids names for shares, each once */
    public Allocations(
            Function<dev.berth.core.DeviceId, Optional<SlicePool.Published>> published,
            Function<String, Optional<DeviceClass>> classes,
            Supplier<String> ids) {
        this.published = published;
        this.classes = classes;
        this.ids = ids;
    }

    public AllocationResult of(PlannedClaim claim, Placement placement) {
        var grants = placement.grants().stream()
                .filter(grant -> claim.asks(grant.ask()))
                .toList();
        var results = new ArrayList<DeviceRequestAllocationResult>();
        var devices = new ArrayList<SlicePool.Published>();
        for (var grant : grants) {
            var device = published.apply(grant.device().id()).orElseThrow();
            devices.add(device);
            results.add(result(claim.request(grant), grant, device));
        }
        var allocation = new AllocationResultBuilder()
                .withNewDevices()
                .withResults(results)
                .withConfig(configs(claim, grants))
                .endDevices()
                .build();
        NodeBounds.of(devices, placement.node()).ifPresent(allocation::setNodeSelector);
        return allocation;
    }

    private DeviceRequestAllocationResult result(Request request, Grant grant, SlicePool.Published published) {
        var id = grant.device().id();
        var pool = PoolId.of(id);
        var result = new DeviceRequestAllocationResultBuilder()
                .withRequest(request.fullName())
                .withDriver(pool.driver())
                .withPool(pool.pool())
                .withDevice(SliceDevice.name(id))
                .withTolerations(request.tolerations())
                .withBindingConditions(Given.list(published.device().getBindingConditions()))
                .withBindingFailureConditions(Given.list(published.device().getBindingFailureConditions()));
        if (grant.admin()) {
            result.withAdminAccess(true);
        }
        if (grant.device().shareable()) {
            result.withShareID(ids.get());
            result.withConsumedCapacity(consumed(request, grant));
        }
        return result.build();
    }

    private static Map<String, Quantity> consumed(Request request, Grant grant) {
        Map<String, Quantity> consumed = new TreeMap<>();
        grant.device().capacities().forEach((name, capacity) -> {
            var wanted = Optional.ofNullable(request.capacity().get(name)).map(SliceDevice::quantity);
            capacity.taken(wanted).ifPresent(amount -> consumed.put(name, new Quantity(Quantities.text(amount))));
        });
        return consumed;
    }

    /** Those of the classes first, each class once with all requests that it serves; then the claim's own. */
    private List<DeviceAllocationConfiguration> configs(PlannedClaim claim, List<Grant> grants) {
        Map<String, List<String>> requestsByClass = new LinkedHashMap<>();
        var chosen = new ArrayList<Request>();
        for (var ask : claim.requests().keySet()) {
            grants.stream().filter(grant -> grant.ask().equals(ask)).findFirst().ifPresent(grant -> {
                var request = claim.request(grant);
                chosen.add(request);
                requestsByClass
                        .computeIfAbsent(request.className(), _ -> new ArrayList<>())
                        .add(request.fullName());
            });
        }
        var configs = new ArrayList<DeviceAllocationConfiguration>();
        requestsByClass.forEach((name, requests) -> classes.apply(name)
                .ifPresent(found -> Given.list(found.getSpec().getConfig())
                        .forEach(config -> configs.add(new DeviceAllocationConfigurationBuilder()
                                .withSource(FROM_CLASS)
                                .withRequests(requests)
                                .withOpaque(config.getOpaque())
                                .build()))));
        var devices = claim.claim().getSpec().getDevices();
        for (var config : devices == null ? List.<DeviceClaimConfiguration>of() : Given.list(devices.getConfig())) {
            var requests = Given.list(config.getRequests());
            boolean concerned = requests.isEmpty()
                    || chosen.stream()
                            .anyMatch(request ->
                                    requests.contains(request.name()) || requests.contains(request.fullName()));
            if (concerned) {
                configs.add(new DeviceAllocationConfigurationBuilder()
                        .withSource(FROM_CLAIM)
                        .withRequests(requests)
                        .withOpaque(config.getOpaque())
                        .build());
            }
        }
        return configs;
    }
}
