package dev.berth.claims.demand;

import dev.berth.claims.api.Capacity;
import dev.berth.claims.api.ClaimStatus.Allocation;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePool;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** What claims hold, as the ledger has it: read from their status alone. */
public final class ClaimEntries {
    private ClaimEntries() {}

    /** A line, and the page it belongs on. */
    public record Line(NodeName place, Entry entry) {}

    public static Ledger ledger(Collection<DeviceClaim> claims, Function<String, Optional<DevicePool>> pools) {
        var ledger = Ledger.EMPTY;
        for (DeviceClaim claim : claims) {
            for (Line line : of(claim, holder(claim), pools)) {
                ledger = ledger.with(line.place(), ledger.of(line.place()).recording(line.entry()));
            }
        }
        return ledger;
    }

    /** The claim itself holds, for however many pods use it: the id and the uid are the claim's. */
    public static Holder holder(DeviceClaim claim) {
        var metadata = claim.metadata();
        String id = metadata.uid().isEmpty() ? metadata.full() : metadata.uid();
        String name = claim.status().podNames().size() == 1
                ? claim.status().podNames().getFirst()
                : metadata.name();
        return new Holder(
                Door.CLAIMS,
                metadata.namespace(),
                name,
                id,
                Optional.of(metadata.uid()).filter(uid -> !uid.isEmpty()));
    }

    /** The claim's lines; a device whose pool is gone has none, and neither has what is only looked after. */
    public static Collection<Line> of(DeviceClaim claim, Holder holder, Function<String, Optional<DevicePool>> pools) {
        Map<DeviceId, Line> lines = new LinkedHashMap<>();
        for (Allocation allocation : claim.status().allocations()) {
            var pool = pools.apply(allocation.devicePoolName());
            if (pool.isEmpty()
                    || allocation.adminAccess()
                    || allocation.deviceName().isEmpty()) {
                continue;
            }
            var device = PoolDevices.id(allocation.devicePoolName(), allocation.deviceName());
            Share share = share(allocation, pool.get());
            var line = new Line(PoolDevices.place(pool.get()), Entry.confirmed(device, holder, share));
            lines.merge(device, line, ClaimEntries::together);
        }
        return lines.values();
    }

    /** All of everything is the whole device, and so is nothing in particular. */
    private static Share share(Allocation allocation, DevicePool pool) {
        Optional<DevicePool.Device> device = pool.devices().stream()
                .filter(each -> each.name().equals(allocation.deviceName()))
                .findFirst();
        boolean whole = allocation.amounts().isEmpty()
                || device.isEmpty()
                || device.get().claimResourcesProvided().stream().allMatch(provided -> isAll(provided, allocation));
        return whole ? Share.WHOLE : new Share.Part(allocation.amounts());
    }

    private static boolean isAll(Capacity provided, Allocation allocation) {
        // A status lists no zeros, and of what a device has nothing of, nothing is all.
        return provided.capacity().equals(allocation.amounts().getOrDefault(provided.name(), Quantity.ZERO));
    }

    /** Two parts of one device in one claim. */
    private static Line together(Line first, Line second) {
        if (!(first.entry().share() instanceof Share.Part(var some))
                || !(second.entry().share() instanceof Share.Part(var more))) {
            return first.entry().share() instanceof Share.Whole ? first : second;
        }
        SortedMap<String, Quantity> sum = new TreeMap<>(some);
        more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
        var entry = first.entry();
        return new Line(first.place(), Entry.confirmed(entry.device(), entry.holder(), new Share.Part(sum)));
    }
}
