package dev.berth.claims.demand;

import dev.berth.claims.api.Capacity;
import dev.berth.claims.api.DevicePool;
import dev.berth.core.Attribute;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.core.Shelf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Pools as the engine has them: a node's pools make its shelf, and each pool on the network is one of its own. */
public final class PoolDevices {
    /** Among a device's attributes: whose it is. No attribute of the prototype can have this name. */
    static final String DRIVER = "devmgmtproto.k8s.io/driver";

    private static final String NETWORK_PLACE = "pool.";
    private static final Quantity ONE = Quantity.of(1);

    private PoolDevices() {}

    /** The page of the ledger on which the pool's devices stand: its node's, or its own. */
    public static NodeName place(DevicePool pool) {
        return new NodeName(pool.nodeName().orElseGet(() -> NETWORK_PLACE + pool.name()));
    }

    /** All pools' devices, and these nodes even if they have none. */
    public static Inventory inventory(Collection<DevicePool> pools, Collection<NodeName> nodes) {
        var inventory = Inventory.EMPTY;
        Map<NodeName, List<DevicePool>> byPlace = new TreeMap<>();
        nodes.forEach(node -> byPlace.put(node, new ArrayList<>()));
        pools.forEach(pool ->
                byPlace.computeIfAbsent(place(pool), _ -> new ArrayList<>()).add(pool));
        for (var entry : byPlace.entrySet()) {
            inventory = inventory.with(shelf(entry.getKey(), entry.getValue()));
        }
        return inventory;
    }

    /** The shelf of one place, with its pools in the order of their names and their devices as published. */
    public static Shelf shelf(NodeName place, Collection<DevicePool> pools) {
        List<Device> devices = new ArrayList<>();
        Map<Counter, Quantity> counters = new HashMap<>();
        pools.stream().sorted(Comparator.comparing(DevicePool::name)).forEach(pool -> {
            pool.devices().forEach(device -> devices.add(device(pool, device)));
            pool.sharedResources()
                    .forEach(shared -> counters.put(new Counter(pool.name(), shared.name()), shared.capacity()));
        });
        return new Shelf(place, devices, counters);
    }

    public static DeviceId id(String pool, String device) {
        return new DeviceId(pool + "/" + device);
    }

    /** Whose device this is; nothing for one that is of no pool. */
    public static String driver(Device device) {
        return device.attributes().get(DRIVER) instanceof Attribute.Text(var driver) ? driver : "";
    }

    static String poolName(DeviceId id) {
        return id.value().substring(0, id.value().indexOf('/'));
    }

    static String deviceName(DeviceId id) {
        return id.value().substring(id.value().indexOf('/') + 1);
    }

    private static Device device(DevicePool pool, DevicePool.Device device) {
        Map<String, Attribute> attributes = new HashMap<>(pool.attributesOf(device));
        Optional<String> uuid =
                attributes.get("uuid") instanceof Attribute.Text(var text) ? Optional.of(text) : Optional.empty();
        OptionalInt index =
                attributes.get("index") instanceof Attribute.Whole(long number) && number >= 0 && number < 1 << 20
                        ? OptionalInt.of((int) number)
                        : OptionalInt.empty();
        attributes.put(DRIVER, new Attribute.Text(pool.driver()));
        Map<Counter, Quantity> draws = new HashMap<>();
        device.sharedResourcesConsumed().forEach((name, amount) -> draws.put(new Counter(pool.name(), name), amount));
        Map<String, dev.berth.core.Capacity> capacities = new HashMap<>();
        device.claimResourcesProvided().forEach(provided -> capacities.put(provided.name(), capacity(provided)));
        Reach reach = pool.nodeName()
                .<Reach>map(node -> new Reach.On(new NodeName(node)))
                .orElse(new Reach.Anywhere());
        return new Device(
                id(pool.name(), device.name()),
                reach,
                attributes,
                capacities,
                !capacities.isEmpty(),
                draws,
                List.of(),
                index,
                uuid,
                "");
    }

    /** Whoever shares a device takes what they name, in blocks, and nothing of what they do not name. */
    private static dev.berth.core.Capacity capacity(Capacity provided) {
        return dev.berth.core.Capacity.inBlocks(
                provided.capacity(), provided.blockSize().orElse(ONE));
    }
}
