package dev.berth.claims.scheduler;

import dev.berth.claims.dra.status.Held;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.kube.ledger.Evidence;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** What the status of the claims of {@code resource.k8s.io} shows to be held, whoever allocated them. */
final class ResourceEvidence implements Evidence {
    private final ResourceBook book;
    private final SliceCatalogue catalogue;
    private final BooleanSupplier synced;
    private final ClaimsByPlace<ResourceClaim> holders;

    ResourceEvidence(ResourceBook book, SliceCatalogue catalogue, BooleanSupplier synced) {
        this.book = book;
        this.catalogue = catalogue;
        this.synced = synced;
        this.holders = new ClaimsByPlace<>(claim -> claim.getMetadata().getUid(), this::pages);
    }

    @Override
    public Door door() {
        return Door.CLAIMS;
    }

    @Override
    public boolean synced() {
        return synced.getAsBoolean();
    }

    /** Takes note of a claim that changed; gives back the pages that are concerned. */
    Set<NodeName> heard(Optional<ResourceClaim> before, Optional<ResourceClaim> after) {
        return holders.heard(before, after);
    }

    private Set<NodeName> pages(ResourceClaim claim) {
        var pages = new TreeSet<NodeName>();
        Held.shares(claim).keySet().forEach(device -> catalogue.page(device).ifPresent(pages::add));
        return pages;
    }

    @Override
    public Collection<NodeName> nodes() {
        // A pool that became known after its claims is only seen by going through all of them.
        book.all().forEach(claim -> heard(Optional.empty(), Optional.of(claim)));
        return holders.places();
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        var entries = new ArrayList<Entry>();
        for (var claim : holders.at(node)) {
            for (var line : Held.lines(claim, Held.holder(claim), catalogue::page)) {
                if (line.page().equals(node)) {
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
            var known =
                    book.readByUid(entry.holder().namespace(), entry.holder().id());
            boolean held = known.stream()
                    .flatMap(claim -> Held.shares(claim).keySet().stream())
                    .anyMatch(device -> mayBe(node, device, entry.device()));
            return held ? Look.STILL_HELD : Look.GONE;
        } catch (KubernetesClientException unanswered) {
            return Look.UNKNOWN;
        }
    }

    /**
     * While a pool is away, as when its driver is replaced, nobody knows which of the cards its devices are; nor what a
     * card is called here that is asked for under its name in the prototype's language.
     */
    private boolean mayBe(NodeName node, DeviceId held, DeviceId asked) {
        var page = catalogue.page(held);
        boolean ofSlice = asked.value().chars().filter(letter -> letter == '/').count() > 1;
        return held.equals(asked) || page.isEmpty() || (!ofSlice && page.get().equals(node));
    }
}
