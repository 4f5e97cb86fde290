package dev.berth.claims.dra.pool;

import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pool as its newest slices describe it. Nothing is taken from one that is not whole, or contradicts itself.
 *
 * @param slices those of the highest generation, by name
 * @param trouble why nothing is taken from it, in words that follow "the pool is"; nothing for a pool that can be used
 */
public record SlicePool(PoolId id, List<ResourceSlice> slices, Optional<String> trouble) {
    public SlicePool {
        slices = List.copyOf(slices);
    }

    /** A device and the slice that it is in. */
    public record Published(ResourceSlice slice, Device device) {
        /** The rules for the nodes are the slice's, unless it leaves them to each device. */
        public boolean onItsOwn() {
            return Given.flag(slice.getSpec().getPerDeviceNodeSelection());
        }
    }

    public static PoolId id(ResourceSlice slice) {
        return new PoolId(slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
    }

    /** @param all the pool's slices, of any generation; at least one */
    public static SlicePool of(Collection<ResourceSlice> all) {
        long newest = all.stream().mapToLong(SlicePool::generation).max().orElseThrow();
        var slices = all.stream()
                .filter(slice -> generation(slice) == newest)
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList();
        return new SlicePool(id(slices.getFirst()), slices, incomplete(slices).or(() -> invalid(slices)));
    }

    private static long generation(ResourceSlice slice) {
        var generation = slice.getSpec().getPool().getGeneration();
        return generation == null ? 0 : generation;
    }

    private static Optional<String> incomplete(List<ResourceSlice> slices) {
        var wanted = slices.getFirst().getSpec().getPool().getResourceSliceCount();
        return wanted == null || wanted == slices.size()
                ? Optional.empty()
                : Optional.of("being updated: %d of its %d slices are there".formatted(slices.size(), wanted));
    }

    private static Optional<String> invalid(List<ResourceSlice> slices) {
        Map<String, CounterSet> sets = new HashMap<>();
        var names = new HashSet<String>();
        for (var slice : slices) {
            for (var set : Given.list(slice.getSpec().getSharedCounters())) {
                if (sets.put(set.getName(), set) != null) {
                    return Optional.of("invalid: duplicate counter set name " + set.getName());
                }
            }
            for (var device : Given.list(slice.getSpec().getDevices())) {
                if (!names.add(device.getName())) {
                    return Optional.of("invalid: duplicate device name " + device.getName());
                }
            }
        }
        return slices.stream()
                .flatMap(slice -> Given.list(slice.getSpec().getDevices()).stream())
                .flatMap(device -> unknownCounter(device, sets).stream())
                .findFirst();
    }

    private static Optional<String> unknownCounter(Device device, Map<String, CounterSet> sets) {
        for (var consumed : Given.list(device.getConsumesCounters())) {
            var set = sets.get(consumed.getCounterSet());
            if (set == null) {
                return Optional.of("invalid: counter set %s not found".formatted(consumed.getCounterSet()));
            }
            for (var name : Given.map(consumed.getCounters()).keySet()) {
                if (!Given.map(set.getCounters()).containsKey(name)) {
                    return Optional.of(
                            "invalid: counter %s not found in counter set %s".formatted(name, set.getName()));
                }
            }
        }
        return Optional.empty();
    }

    public Optional<Published> find(String device) {
        for (var slice : slices) {
            for (var each : Given.list(slice.getSpec().getDevices())) {
                if (each.getName().equals(device)) {
                    return Optional.of(new Published(slice, each));
                }
            }
        }
        return Optional.empty();
    }

    boolean hasCounters() {
        return slices.stream()
                .anyMatch(slice ->
                        !Given.list(slice.getSpec().getSharedCounters()).isEmpty());
    }

    /** Devices that must be prepared before a pod is bound come after all others. */
    boolean hasBindingConditions() {
        return slices.stream()
                .flatMap(slice -> Given.list(slice.getSpec().getDevices()).stream())
                .anyMatch(device -> !Given.list(device.getBindingConditions()).isEmpty());
    }

    /** The node in which all of its devices sit, if it is one. */
    Optional<String> onlyNode() {
        var nodes = new HashSet<String>();
        for (var slice : slices) {
            ResourceSliceSpec spec = slice.getSpec();
            if (!Given.list(spec.getSharedCounters()).isEmpty()) {
                continue;
            }
            nodes.add(Given.text(spec.getNodeName()));
        }
        return nodes.size() == 1
                ? Optional.of(nodes.iterator().next()).filter(name -> !name.isEmpty())
                : Optional.empty();
    }
}
