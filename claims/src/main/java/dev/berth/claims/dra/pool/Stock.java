package dev.berth.claims.dra.pool;

import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Shelf;
import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All pools at one moment, as the engine has them. Immutable. */
public final class Stock {
    private final Map<PoolId, PoolStock> pools;

    private Stock(Map<PoolId, PoolStock> pools) {
        this.pools = pools;
    }

    public static Stock of(Collection<ResourceSlice> slices, Collection<NodeRoom> nodes, List<TaintRule> rules) {
        Map<PoolId, List<ResourceSlice>> byPool = new LinkedHashMap<>();
        slices.forEach(slice -> byPool.computeIfAbsent(SlicePool.id(slice), _ -> new ArrayList<>())
                .add(slice));
        Map<PoolId, PoolStock> pools = new HashMap<>();
        byPool.forEach((id, its) -> pools.put(id, PoolStock.of(SlicePool.of(its), nodes, rules)));
        return new Stock(pools);
    }

    public static Stock of(Collection<PoolStock> known) {
        Map<PoolId, PoolStock> pools = new HashMap<>();
        known.forEach(stock -> pools.put(stock.pool().id(), stock));
        return new Stock(pools);
    }

    /** The same inventory with the pools' devices on it, and these nodes even if they have none. */
    public Inventory onto(Inventory inventory, Collection<NodeName> nodes) {
        Map<NodeName, List<Device>> devices = new TreeMap<>();
        Map<NodeName, Map<Counter, Quantity>> counters = new HashMap<>();
        nodes.forEach(node -> devices.put(node, new ArrayList<>()));
        for (var stock : pools.values()) {
            stock.devices()
                    .forEach((page, some) -> devices.computeIfAbsent(page, _ -> new ArrayList<>())
                            .addAll(some));
            counters.computeIfAbsent(stock.countersPage(), _ -> new HashMap<>()).putAll(stock.counters());
        }
        var stocked = inventory;
        for (var entry : devices.entrySet()) {
            var before = inventory.shelf(entry.getKey());
            var all = new ArrayList<>(before.map(Shelf::devices).orElse(List.of()));
            entry.getValue().sort(Comparator.comparing(Device::listing));
            all.addAll(entry.getValue());
            Map<Counter, Quantity> shared =
                    new HashMap<>(before.map(Shelf::counters).orElse(Map.of()));
            shared.putAll(counters.getOrDefault(entry.getKey(), Map.of()));
            stocked = stocked.with(new Shelf(entry.getKey(), all, shared));
        }
        return stocked;
    }

    public Optional<SlicePool.Published> find(DeviceId device) {
        return Optional.ofNullable(pools.get(PoolId.of(device)))
                .flatMap(stock -> stock.pool().find(SliceDevice.name(device)));
    }

    /** On which page of the ledger a device stands; nothing where nobody publishes it. */
    public Optional<NodeName> page(DeviceId device) {
        return Optional.ofNullable(pools.get(PoolId.of(device))).flatMap(stock -> stock.page(device));
    }

    /** The pools that cannot be used and that this node would reach, by name, with the reason. */
    public Map<PoolId, String> troubles(NodeName node) {
        Map<PoolId, String> troubles = new TreeMap<>(Comparator.comparing(PoolId::toString));
        pools.forEach((id, stock) -> stock.pool()
                .trouble()
                .filter(_ -> stock.reached().covers(node))
                .ifPresent(why -> troubles.put(id, why)));
        return troubles;
    }
}
