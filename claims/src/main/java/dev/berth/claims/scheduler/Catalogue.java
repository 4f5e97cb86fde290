package dev.berth.claims.scheduler;

import dev.berth.claims.api.DeviceClass;
import dev.berth.claims.api.DeviceDriver;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.demand.Classes;
import dev.berth.claims.demand.PoolDevices;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.core.Shelf;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is to give out: classes, drivers, and the pools as an inventory that a change alters in one place only.
 */
final class Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

    private final Cluster cluster;
    private final Cache<GenericKubernetesResource> classCache;
    private final Cache<GenericKubernetesResource> driverCache;
    private final Cache<GenericKubernetesResource> poolCache;
    private final Map<String, DeviceClass> classes = new TreeMap<>();
    private final Map<String, DeviceDriver> drivers = new TreeMap<>();
    private final Map<String, DevicePool> pools = new ConcurrentHashMap<>();
    private final Map<NodeName, Map<String, DevicePool>> byPlace = new HashMap<>();
    private final Map<NodeName, Boolean> nodes = new HashMap<>();
    private final List<Consumer<NodeName>> stocked = new CopyOnWriteArrayList<>();
    private final SliceCatalogue slices;
    private volatile Inventory inventory = Inventory.EMPTY;
    private @Nullable Classes compiled;

    /** @param slices whose devices stand on the same pages */
    Catalogue(Cluster cluster, SliceCatalogue slices) {
        this.cluster = cluster;
        this.slices = slices;
        slices.onStocked(this::restock);
        this.classCache = Cache.of(cluster, Kind.CLASS.all());
        this.driverCache = Cache.of(cluster, Kind.DRIVER.all());
        this.poolCache = Cache.of(cluster, Kind.POOL.all());
        classCache.onChange(change -> heardClass(change));
        driverCache.onChange(change -> heardDriver(change));
        poolCache.onChange(change -> heardPool(change));
    }

    List<Cache<GenericKubernetesResource>> caches() {
        return List.of(classCache, driverCache, poolCache);
    }

    /** Calls this when something new may be had. */
    void onChange(Runnable listener) {
        caches().forEach(cache -> cache.onChange(_ -> listener.run()));
    }

    Inventory inventory() {
        return inventory;
    }

    Optional<DevicePool> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    synchronized Classes classes() {
        var known = compiled;
        if (known == null) {
            known = new Classes(classes.values(), drivers.values());
            compiled = known;
        }
        return known;
    }

    /** Nodes without devices are part of the inventory too: pods without claims go there. */
    synchronized void heardNode(Change<Node> change) {
        var name = new NodeName(change.newest().getMetadata().getName());
        if (change instanceof Change.Removed<Node>) {
            nodes.remove(name);
        } else {
            nodes.put(name, true);
        }
        stock(name);
    }

    private synchronized void heardClass(Change<GenericKubernetesResource> change) {
        take(change, classes, DeviceClass::read);
        compiled = null;
    }

    private synchronized void heardDriver(Change<GenericKubernetesResource> change) {
        take(change, drivers, DeviceDriver::read);
        compiled = null;
    }

    private synchronized void heardPool(Change<GenericKubernetesResource> change) {
        var name = change.newest().getMetadata().getName();
        var before = Optional.ofNullable(pools.get(name)).map(PoolDevices::place);
        take(change, pools, DevicePool::read);
        before.ifPresent(place -> Optional.ofNullable(byPlace.get(place)).ifPresent(there -> there.remove(name)));
        pool(name)
                .ifPresent(pool -> byPlace.computeIfAbsent(PoolDevices.place(pool), _ -> new TreeMap<>())
                        .put(name, pool));
        before.ifPresent(this::stock);
        pool(name)
                .map(PoolDevices::place)
                .filter(place -> !Optional.of(place).equals(before))
                .ifPresent(this::stock);
    }

    private <T> void take(
            Change<GenericKubernetesResource> change, Map<String, T> known, Function<Manifest, T> reader) {
        var name = change.newest().getMetadata().getName();
        if (change instanceof Change.Removed<GenericKubernetesResource>) {
            known.remove(name);
            return;
        }
        try {
            known.put(name, reader.apply(Wire.manifest(cluster, change.newest())));
        } catch (ManifestException malformed) {
            known.remove(name);
            LOG.warn(
                    "object is passed over: kind={} name={} reason={}",
                    change.newest().getKind(),
                    name,
                    malformed.getMessage());
        }
    }

    private synchronized void restock(NodeName place) {
        stock(place);
    }

    /** Puts a place's shelf in order; one without a node, and without devices on the network, is no place. */
    private void stock(NodeName place) {
        var there = byPlace.getOrDefault(place, Map.of()).values();
        var ofSlices = slices.devices(place);
        boolean onNetwork = there.stream()
                        .anyMatch(pool ->
                                pool.nodeName().isEmpty() && !pool.devices().isEmpty())
                || ofSlices.stream().anyMatch(device -> !(device.reach() instanceof Reach.On));
        inventory = nodes.containsKey(place) || onNetwork
                ? inventory.with(together(PoolDevices.shelf(place, there), ofSlices))
                : inventory.without(place);
        stocked.forEach(listener -> listener.accept(place));
    }

    private Shelf together(Shelf shelf, List<Device> ofSlices) {
        if (ofSlices.isEmpty()) {
            return shelf;
        }
        var devices = new ArrayList<>(shelf.devices());
        devices.addAll(ofSlices);
        Map<Counter, Quantity> counters = new HashMap<>(shelf.counters());
        counters.putAll(slices.counters(shelf.place()));
        return new Shelf(shelf.place(), devices, counters);
    }

    /** Calls this with a place whose devices may be others now. */
    void onStocked(Consumer<NodeName> listener) {
        stocked.add(listener);
    }

    /** How many devices a place has, where it is known. */
    java.util.OptionalInt deviceCount(NodeName place) {
        var shelf = inventory.shelf(place);
        return shelf.map(known -> java.util.OptionalInt.of(known.devices().size()))
                .orElse(java.util.OptionalInt.empty());
    }
}
