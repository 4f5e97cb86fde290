package dev.berth.claims.dra.status;

import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.PoolId;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** What claims hold, as the ledger has it: read from their status alone. */
public final class Held {
    private Held() {}

    /** A line, and the page it belongs on. */
    public record Line(NodeName page, Entry entry) {}

    /** The claim itself holds, for however many pods use it. */
    public static Holder holder(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        var namespace = Given.text(metadata.getNamespace());
        var uid = Given.text(metadata.getUid());
        var consumers = claim.getStatus() == null
                ? List.<String>of()
                : Given.list(claim.getStatus().getReservedFor()).stream()
                        .map(consumer -> consumer.getName())
                        .toList();
        return new Holder(
                Door.CLAIMS,
                namespace,
                consumers.size() == 1 ? consumers.getFirst() : metadata.getName(),
                uid.isEmpty() ? namespace + "/" + metadata.getName() : uid,
                Optional.of(uid).filter(known -> !known.isEmpty()));
    }

    /** The devices of a claim with how much it holds of each; nothing of what it only looks after. */
    public static Map<DeviceId, Share> shares(ResourceClaim claim) {
        Map<DeviceId, Share> shares = new LinkedHashMap<>();
        for (var result : results(claim)) {
            if (!Given.flag(result.getAdminAccess())) {
                shares.merge(id(result), share(result), Held::together);
            }
        }
        return shares;
    }

    /** @param pages where a device stands; one that nobody publishes is on none, and held by nobody */
    public static List<Line> lines(ResourceClaim claim, Holder holder, Function<DeviceId, Optional<NodeName>> pages) {
        var lines = new ArrayList<Line>();
        shares(claim)
                .forEach((device, share) -> pages.apply(device)
                        .ifPresent(page -> lines.add(new Line(page, Entry.confirmed(device, holder, share)))));
        return lines;
    }

    public static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
        var status = claim.getStatus();
        if (status == null
                || status.getAllocation() == null
                || status.getAllocation().getDevices() == null) {
            return List.of();
        }
        return Given.list(status.getAllocation().getDevices().getResults());
    }

    public static DeviceId id(DeviceRequestAllocationResult result) {
        return new PoolId(result.getDriver(), result.getPool()).device(result.getDevice());
    }

    private static Share share(DeviceRequestAllocationResult result) {
        if (Given.text(result.getShareID()).isEmpty()) {
            return Share.WHOLE;
        }
        Map<String, Quantity> amounts = new TreeMap<>();
        Given.map(result.getConsumedCapacity()).forEach((name, amount) -> {
            var taken = SliceDevice.quantity(amount);
            if (taken.compareTo(Quantity.ZERO) > 0) {
                amounts.put(name, taken);
            }
        });
        return new Share.Part(amounts);
    }

    public static Share together(Share one, Share other) {
        if (one instanceof Share.Part(var some) && other instanceof Share.Part(var more)) {
            var sum = new TreeMap<String, Quantity>(some);
            more.forEach((name, amount) -> sum.merge(name, amount, Quantity::plus));
            return new Share.Part(sum);
        }
        return Share.WHOLE;
    }
}
