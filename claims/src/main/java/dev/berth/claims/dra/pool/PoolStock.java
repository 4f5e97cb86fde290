package dev.berth.claims.dra.pool;

import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.NodeSelection;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What one pool puts on which page of the ledger: devices of a node on the node's, devices that several nodes reach, or
 * that share counters across nodes, on a page of the pool's own.
 *
 * @param devices by page, in the order in which they are tried
 * @param reached the nodes that a pool with trouble would serve; every node where it has none to name
 */
public record PoolStock(
        SlicePool pool,
        Map<NodeName, List<Device>> devices,
        Map<Counter, Quantity> counters,
        NodeName countersPage,
        Reach reached) {
    private static final String NETWORK_PAGE = "pool.";
    private static final int LONGEST_PAGE = 200;

    /** @param nodes all that there are: selectors of slices choose among them */
    public static PoolStock of(SlicePool pool, Collection<NodeRoom> nodes, List<TaintRule> rules) {
        return new Stocking(pool, nodes, rules).stock();
    }

    /** Whether another set of nodes, or other labels on them, would change anything. */
    public boolean selects() {
        return pool.slices().stream().anyMatch(PoolStock::selects);
    }

    private static boolean selects(ResourceSlice slice) {
        var spec = slice.getSpec();
        return spec.getNodeSelector() != null
                || Given.list(spec.getDevices()).stream().anyMatch(device -> device.getNodeSelector() != null);
    }

    /** A name that an object can have, the same for the same pool. */
    static NodeName networkPage(PoolId id) {
        var checksum = new CRC32();
        checksum.update(id.toString().getBytes(StandardCharsets.UTF_8));
        String plain = (id.driver() + "." + id.pool()).toLowerCase(Locale.ROOT).replaceAll("[^-a-z0-9.]", ".");
        String fitting =
                plain.substring(0, Math.min(plain.length(), LONGEST_PAGE)).replaceAll("[-.]+$", "");
        return new NodeName("%s%s.%08x".formatted(NETWORK_PAGE, fitting, checksum.getValue()));
    }

    /** The page on which a device of the pool stands, found or not. */
    public Optional<NodeName> page(dev.berth.core.DeviceId device) {
        return devices.entrySet().stream()
                .filter(entry ->
                        entry.getValue().stream().anyMatch(each -> each.id().equals(device)))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Works one pool off. */
    private static final class Stocking {
        private final SlicePool pool;
        private final Collection<NodeRoom> nodes;
        private final List<TaintRule> rules;
        private final Optional<String> onlyNode;
        private final Map<NodeName, List<Device>> devices = new LinkedHashMap<>();
        private final Set<NodeName> reached = new HashSet<>();
        private boolean reachedByAll;

        Stocking(SlicePool pool, Collection<NodeRoom> nodes, List<TaintRule> rules) {
            this.pool = pool;
            this.nodes = nodes;
            this.rules = rules;
            this.onlyNode = pool.onlyNode();
        }

        PoolStock stock() {
            int number = 0;
            for (var slice : pool.slices()) {
                for (var device : Given.list(slice.getSpec().getDevices())) {
                    reach(slice, device).ifPresent(this::note);
                    if (pool.trouble().isEmpty()) {
                        add(slice, device, number);
                    }
                    number++;
                }
            }
            Map<Counter, Quantity> counters = new HashMap<>();
            for (var slice : pool.slices()) {
                for (var set : Given.list(slice.getSpec().getSharedCounters())) {
                    Given.map(set.getCounters())
                            .forEach((name, counter) -> counters.put(
                                    SliceDevice.counter(pool.id(), set.getName(), name),
                                    SliceDevice.quantity(counter.getValue())));
                }
            }
            var page = onlyNode.map(NodeName::new).orElseGet(() -> networkPage(pool.id()));
            return new PoolStock(
                    pool,
                    Map.copyOf(devices),
                    pool.trouble().isEmpty() ? counters : Map.of(),
                    page,
                    reachedByAll ? new Reach.Anywhere() : new Reach.Among(reached));
        }

        private void note(Reach reach) {
            switch (reach) {
                case Reach.On(var node) -> reached.add(node);
                case Reach.Among(var some) -> reached.addAll(some);
                case Reach.Anywhere() -> reachedByAll = true;
            }
        }

        private void add(ResourceSlice slice, io.fabric8.kubernetes.api.model.resource.v1.Device device, int number) {
            var found = reach(slice, device);
            if (found.isEmpty()) {
                return;
            }
            boolean local = found.get() instanceof Reach.On && (onlyNode.isPresent() || !pool.hasCounters());
            var page = found.get() instanceof Reach.On(var node) && local ? node : networkPage(pool.id());
            var reach =
                    found.get() instanceof Reach.On(var node) && !local ? new Reach.Among(Set.of(node)) : found.get();
            String listing = "%d\0%s\0%s\0%08d"
                    .formatted(
                            pool.hasBindingConditions() ? 1 : 0,
                            pool.id().driver(),
                            pool.id().pool(),
                            number);
            devices.computeIfAbsent(page, _ -> new ArrayList<>())
                    .add(SliceDevice.of(pool.id(), device, reach, rules, listing));
        }

        /** From where a device can be used; nothing where the slice says nothing that is known. */
        private Optional<Reach> reach(ResourceSlice slice, io.fabric8.kubernetes.api.model.resource.v1.Device device) {
            var spec = slice.getSpec();
            return Given.flag(spec.getPerDeviceNodeSelection())
                    ? reach(device.getNodeName(), device.getAllNodes(), device.getNodeSelector())
                    : reach(spec.getNodeName(), spec.getAllNodes(), spec.getNodeSelector());
        }

        private Optional<Reach> reach(
                @Nullable String node, @Nullable Boolean allNodes, @Nullable NodeSelector selector) {
            if (!Given.text(node).isEmpty()) {
                return Optional.of(new Reach.On(new NodeName(Given.text(node))));
            }
            if (Given.flag(allNodes)) {
                return Optional.of(new Reach.Anywhere());
            }
            if (selector == null) {
                return Optional.empty();
            }
            var selection = NodeSelection.of(selector);
            var among = new HashSet<NodeName>();
            nodes.stream().filter(selection::matches).forEach(room -> among.add(room.name()));
            return Optional.of(new Reach.Among(among));
        }
    }
}
