package dev.berth.claims.scheduler;

import dev.berth.claims.api.ClaimStatus.Allocation;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.demand.ClaimEntries;
import dev.berth.claims.demand.PoolDevices;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.kube.ledger.Evidence;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** What the claims' status shows to be held. The claim is the holder, for however many pods use it. */
final class ClaimEvidence implements Evidence {
    private final ClaimBook book;
    private final Catalogue catalogue;
    private final BooleanSupplier synced;
    private final ClaimsByPlace<DeviceClaim> holders;

    ClaimEvidence(ClaimBook book, Catalogue catalogue, BooleanSupplier synced) {
        this.book = book;
        this.catalogue = catalogue;
        this.synced = synced;
        this.holders = new ClaimsByPlace<>(claim -> claim.metadata().uid(), this::places);
    }

    @Override
    public Door door() {
        return Door.CLAIMS;
    }

    @Override
    public boolean synced() {
        return synced.getAsBoolean();
    }

    /** Takes note of a claim that changed; gives back the places that are concerned. */
    Set<NodeName> heard(Optional<DeviceClaim> before, Optional<DeviceClaim> after) {
        return holders.heard(before, after);
    }

    /** The places where a claim has devices, as far as their pools are known. */
    Set<NodeName> places(DeviceClaim claim) {
        var places = new TreeSet<NodeName>();
        for (Allocation allocation : claim.status().allocations()) {
            catalogue.pool(allocation.devicePoolName()).map(PoolDevices::place).ifPresent(places::add);
        }
        return places;
    }

    @Override
    public Collection<NodeName> nodes() {
        // A pool that became known after its claims is only seen by going through all of them.
        book.all().stream()
                .filter(claim -> claim.status().isAllocated())
                .forEach(claim -> heard(Optional.empty(), Optional.of(claim)));
        return holders.places();
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var entries = new ArrayList<Entry>();
        for (var claim : holders.at(node)) {
            for (var line : ClaimEntries.of(claim, ClaimEntries.holder(claim), catalogue::pool)) {
                if (line.place().equals(node)) {
                    entries.add(line.entry());
                }
            }
        }
        return entries;
    }

    /** Every claim in this language that was ever seen. */
    SeenClaims seen() {
        return book.seen();
    }

    @Override
    public Look look(NodeName node, Entry entry) {
        try {
            var claim =
                    book.readByUid(entry.holder().namespace(), entry.holder().id());
            boolean held = claim.stream()
                    .flatMap(found -> found.status().allocations().stream())
                    .anyMatch(allocation -> !allocation.adminAccess() && mayBe(allocation, entry));
            return held ? Look.STILL_HELD : Look.GONE;
        } catch (KubernetesClientException unanswered) {
            return Look.UNKNOWN;
        }
    }

    /** While a pool is away, as when its driver is replaced, nobody knows which of the cards its devices are. */
    private boolean mayBe(Allocation allocation, Entry entry) {
        return PoolDevices.id(allocation.devicePoolName(), allocation.deviceName())
                        .equals(entry.device())
                || catalogue.pool(allocation.devicePoolName()).isEmpty()
                // A card that slices publish too may be asked for under the name that it has there.
                || entry.device()
                                .value()
                                .chars()
                                .filter(letter -> letter == '/')
                                .count()
                        > 1;
    }
}
