package dev.berth.pinner.scheduler;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.policy.Pack;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.pinner.map.MapEntry;
import dev.berth.pinner.map.Ordinal;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a pod is to go, by its map.
 *
 * @param devices what it gets there, as the ledger has it
 * @param sharers for each of them the other replicas to which the map gives it too
 */
record Pin(
        Pod pod,
        PodNeeds needs,
        MapEntry entry,
        NodeName node,
        List<DeviceId> devices,
        Map<DeviceId, Set<Long>> sharers) {
    /** All cores of a GPU, beside others who have them too: nobody else fits in, whichever door he comes through. */
    static final Share BESIDE = new Share.Part(Map.of(Pack.CORES, Quantity.of(100)));

    Pin {
        devices = List.copyOf(devices);
        sharers = Map.copyOf(sharers);
    }

    String uid() {
        return needs.uid();
    }

    Holder holder() {
        return holder(pod);
    }

    static Holder holder(Pod pod) {
        var metadata = pod.getMetadata();
        return Holder.pod(Door.PINNER, metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    List<Entry> entries(Instant expires, boolean exclusive) {
        return devices.stream()
                .map(device -> Entry.assumed(device, holder(), share(device, exclusive), expires))
                .toList();
    }

    private Share share(DeviceId device, boolean exclusive) {
        return exclusive || sharers.getOrDefault(device, Set.of()).isEmpty() ? Share.WHOLE : BESIDE;
    }

    /** Whether the map gives this GPU to that holder as well: another replica of the same workload. */
    boolean sharesWith(DeviceId device, Holder other) {
        var ordinal = Ordinal.ofName(other.name());
        return other.door() == Door.PINNER
                && other.namespace().equals(needs.namespace())
                && Ordinal.family(other.name()).equals(Ordinal.family(needs.name()))
                && ordinal.isPresent()
                && sharers.getOrDefault(device, Set.of()).contains(ordinal.getAsLong());
    }

    /** One that had this pod's name: names are unique, so it is gone. */
    boolean replaces(Holder other) {
        return other.door() == Door.PINNER
                && other.namespace().equals(needs.namespace())
                && other.name().equals(needs.name())
                && !other.id().equals(uid());
    }

    /** For people. */
    String what() {
        return devices.isEmpty() ? "no GPU" : "GPU " + entry.devices();
    }

    String why() {
        return "line %d of its map: %d=%s:%s".formatted(entry.line(), entry.ordinal(), entry.node(), entry.devices());
    }
}
