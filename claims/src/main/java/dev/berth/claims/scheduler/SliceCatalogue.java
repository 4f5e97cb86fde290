package dev.berth.claims.scheduler;

import dev.berth.claims.dra.pool.PoolId;
import dev.berth.claims.dra.pool.PoolStock;
import dev.berth.claims.dra.pool.SlicePool;
import dev.berth.claims.dra.pool.Stock;
import dev.berth.claims.dra.pool.TaintRule;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools that slices describe, by the page on which their devices stand; a slice that changes alters its pool only.
 */
final class SliceCatalogue {
    private static final Logger LOG = LoggerFactory.getLogger(SliceCatalogue.class);
    private static final String RULES = "devicetaintrules";

    private final Cache<DeviceClass> classes;
    private final Cache<ResourceSlice> slices;
    private final Supplier<Collection<NodeRoom>> rooms;
    private final Map<PoolId, Map<String, ResourceSlice>> byPool = new HashMap<>();
    private final Map<PoolId, PoolStock> stocks = new ConcurrentHashMap<>();
    private final Map<NodeName, Map<PoolId, PoolStock>> byPage = new ConcurrentHashMap<>();
    private final List<Consumer<NodeName>> stocked = new CopyOnWriteArrayList<>();
    private volatile @Nullable Stock current;
    private final Optional<Cache<GenericKubernetesResource>> ruleCache;
    private final Map<String, TaintRule> rules = new TreeMap<>();

    /** @param ruleVersion in which version taint rules are served */
    SliceCatalogue(Cluster cluster, Supplier<Collection<NodeRoom>> rooms, Optional<String> ruleVersion) {
        this.rooms = rooms;
        this.classes = Cache.of(cluster, Listing.of(DeviceClass.class));
        this.slices = Cache.of(cluster, Listing.of(ResourceSlice.class));
        slices.onChange(this::heardSlice);
        this.ruleCache = ruleVersion.map(version -> Cache.of(cluster, Listing.of("resource.k8s.io/" + version, RULES)));
        ruleCache.ifPresent(cache -> cache.onChange(change -> heardRule(cluster, change)));
    }

    /** In which version taint rules are served; nothing where they are not, as is usual. */
    static Optional<String> servedRules(Cluster cluster, Duration within) {
        return Stream.of("v1", "v1beta2", "v1alpha3")
                .filter(version -> cluster.serves("resource.k8s.io/" + version, RULES, within))
                .findFirst();
    }

    List<Cache<?>> caches() {
        var all = new ArrayList<Cache<?>>(List.of(classes, slices));
        ruleCache.ifPresent(all::add);
        return all;
    }

    /** Calls this when something new may be had. */
    void onChange(Runnable listener) {
        classes.onChange(_ -> listener.run());
        slices.onChange(_ -> listener.run());
        ruleCache.ifPresent(cache -> cache.onChange(_ -> listener.run()));
    }

    /** Calls this with a page whose devices may be others now. */
    void onStocked(Consumer<NodeName> listener) {
        stocked.add(listener);
    }

    Optional<DeviceClass> deviceClass(String name) {
        return classes.find("", name);
    }

    List<DeviceClass> classes() {
        return classes.all();
    }

    /** The devices on a page, in the order in which they are tried. */
    List<Device> devices(NodeName page) {
        var all = new ArrayList<Device>();
        for (var stock : byPage.getOrDefault(page, Map.of()).values()) {
            all.addAll(stock.devices().getOrDefault(page, List.of()));
        }
        all.sort(Comparator.comparing(Device::listing));
        return all;
    }

    Map<Counter, Quantity> counters(NodeName page) {
        Map<Counter, Quantity> all = new HashMap<>();
        for (var stock : byPage.getOrDefault(page, Map.of()).values()) {
            if (stock.countersPage().equals(page)) {
                all.putAll(stock.counters());
            }
        }
        return all;
    }

    synchronized Stock stock() {
        var known = current;
        if (known == null) {
            known = Stock.of(stocks.values());
            current = known;
        }
        return known;
    }

    Optional<SlicePool.Published> find(dev.berth.core.DeviceId device) {
        return Optional.ofNullable(stocks.get(PoolId.of(device)))
                .flatMap(stock -> stock.pool().find(dev.berth.claims.dra.pool.SliceDevice.name(device)));
    }

    Optional<NodeName> page(dev.berth.core.DeviceId device) {
        return Optional.ofNullable(stocks.get(PoolId.of(device))).flatMap(stock -> stock.page(device));
    }

    /** A node's labels say which devices on the network it reaches. */
    synchronized void heardNode(Change<Node> change) {
        boolean same = change instanceof Change.Updated<Node>(var before, var after)
                && Objects.equals(
                        before.getMetadata().getLabels(), after.getMetadata().getLabels());
        if (!same) {
            stocks.values().stream()
                    .filter(PoolStock::selects)
                    .map(stock -> stock.pool().id())
                    .toList()
                    .forEach(this::restock);
        }
    }

    private synchronized void heardSlice(Change<ResourceSlice> change) {
        var slice = change.newest();
        var name = slice.getMetadata().getName();
        var id = SlicePool.id(slice);
        if (change instanceof Change.Updated<ResourceSlice>(var before, var _)
                && !SlicePool.id(before).equals(id)) {
            remove(SlicePool.id(before), name);
        }
        if (change instanceof Change.Removed<ResourceSlice>) {
            remove(id, name);
        } else {
            byPool.computeIfAbsent(id, _ -> new TreeMap<>()).put(name, slice);
            restock(id);
        }
    }

    private synchronized void heardRule(Cluster cluster, Change<GenericKubernetesResource> change) {
        var name = change.newest().getMetadata().getName();
        var changed = new ArrayList<TaintRule>();
        Optional.ofNullable(rules.remove(name)).ifPresent(changed::add);
        if (!(change instanceof Change.Removed<GenericKubernetesResource>)) {
            var rule = TaintRule.read(Wire.tree(cluster, change.newest()));
            rules.put(name, rule);
            changed.add(rule);
        }
        stocks.keySet().stream()
                .filter(pool -> changed.stream().anyMatch(rule -> rule.concerns(pool)))
                .toList()
                .forEach(this::restock);
    }

    private void remove(PoolId id, String slice) {
        var its = byPool.get(id);
        if (its != null) {
            its.remove(slice);
            restock(id);
        }
    }

    private void restock(PoolId id) {
        var its = byPool.getOrDefault(id, Map.of()).values();
        var before = stocks.get(id);
        Set<NodeName> pages = new HashSet<>();
        if (before != null) {
            pages.addAll(pages(before));
        }
        if (its.isEmpty()) {
            stocks.remove(id);
            byPool.remove(id);
            pages.forEach(page -> place(page, id, Optional.empty()));
        } else {
            try {
                var now = PoolStock.of(SlicePool.of(its), rooms.get(), List.copyOf(rules.values()));
                stocks.put(id, now);
                pages.addAll(pages(now));
                pages.forEach(page -> place(
                        page, id, Optional.of(now).filter(stock -> pages(stock).contains(page))));
            } catch (IllegalArgumentException malformed) {
                LOG.warn("pool is passed over: pool={} reason={}", id, malformed.getMessage());
            }
        }
        current = null;
        pages.forEach(page -> stocked.forEach(listener -> listener.accept(page)));
    }

    private static Set<NodeName> pages(PoolStock stock) {
        var pages = new HashSet<>(stock.devices().keySet());
        pages.add(stock.countersPage());
        return pages;
    }

    private void place(NodeName page, PoolId id, Optional<PoolStock> stock) {
        byPage.compute(page, (_, there) -> {
            var next = new HashMap<>(there == null ? Map.<PoolId, PoolStock>of() : there);
            stock.ifPresentOrElse(known -> next.put(id, known), () -> next.remove(id));
            return next.isEmpty() ? null : Map.copyOf(next);
        });
    }
}
