package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.claims.demand.PoolDevices;
import dev.berth.core.NodeName;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.pod.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what pods held that have ended: the pod leaves the claim, the last one gives the devices back, and a claim
 * that was made for a pod goes with it. Only a look at the API server itself says that a pod is gone.
 */
final class Release {
    private static final Logger LOG = LoggerFactory.getLogger(Release.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_TRIES = 8;

    private final ClaimsWorld world;
    private final NodeLedgers ledgers;
    private final Map<String, Set<NodeName>> leftBehind = new ConcurrentHashMap<>();

    Release(ClaimsWorld world, NodeLedgers ledgers) {
        this.world = world;
        this.ledgers = ledgers;
        world.book()
                .onChange((before, after) -> before.filter(
                                _ -> after.isEmpty() || after.get().status().isAllocated())
                        .ifPresent(claim -> leftBehind.remove(claim.metadata().uid())));
    }

    /** Entries of this claim stay in the ledger although nothing came of them. */
    void leave(String claimUid, List<Line> lines) {
        var places = new HashSet<NodeName>();
        lines.stream()
                .filter(line -> line.entry().holder().id().equals(claimUid))
                .forEach(line -> places.add(line.place()));
        leftBehind.merge(claimUid, places, (some, more) -> {
            var both = new HashSet<>(some);
            both.addAll(more);
            return both;
        });
    }

    Set<NodeName> leftBehind(String claimUid) {
        return leftBehind.getOrDefault(claimUid, Set.of());
    }

    /** The pod does not get these after all. */
    void giveBack(Collection<DeviceClaim> claims, String podName) {
        for (var claim : claims) {
            leave(claim, Set.of(podName));
        }
    }

    /** Looks whether the claim's pods are still there, and takes it from those that are not. */
    void check(DeviceClaim claim) {
        var gone = new HashSet<String>();
        for (var name : claim.status().podNames()) {
            if (isGone(claim.metadata().namespace(), name)) {
                gone.add(name);
            }
        }
        if (!gone.isEmpty()) {
            leave(claim, gone);
        }
        owner(claim).filter(owner -> ownerIsGone(claim, owner)).ifPresent(_ -> {
            var now = world.book()
                    .find(claim.metadata().namespace(), claim.metadata().name());
            now.filter(known -> known.metadata().uid().equals(claim.metadata().uid()))
                    .ifPresent(world.book()::delete);
        });
    }

    private void leave(DeviceClaim claim, Set<String> podNames) {
        var metadata = claim.metadata();
        Optional<DeviceClaim> now = Optional.of(claim);
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            var current = now.filter(known -> known.metadata().uid().equals(metadata.uid()));
            if (current.isEmpty() || current.get().status().podNames().stream().noneMatch(podNames::contains)) {
                return;
            }
            var next = current.get().withStatus(current.get().status().without(podNames));
            // Taken down before the claim is free: whoever allocates it anew writes other entries than these.
            var entries = entries(current.get());
            if (world.book().writeStatus(next).isPresent()) {
                if (!next.status().isAllocated()) {
                    drop(entries);
                }
                LOG.info(
                        "claim released: claim={} pods={} devices={}",
                        metadata.full(),
                        podNames,
                        next.status().isAllocated() ? "kept" : "given back");
                return;
            }
            now = world.book().read(metadata.namespace(), metadata.name());
        }
        LOG.warn("claim could not be released and is tried again later: claim={}", metadata.full());
    }

    private List<Line> entries(DeviceClaim claim) {
        var lines = new ArrayList<Line>();
        claim.status().allocations().stream()
                .map(allocation -> world.catalogue().pool(allocation.devicePoolName()))
                .flatMap(Optional::stream)
                .map(PoolDevices::place)
                .distinct()
                .forEach(place -> ledgers.ledger()
                        .of(place)
                        .of(claim.metadata().uid())
                        .forEach(entry -> lines.add(new Line(place, entry))));
        return lines;
    }

    /** What is not written here is found by the reconciler. */
    private void drop(List<Line> lines) {
        for (var place : lines.stream().map(Line::place).distinct().toList()) {
            var gone = lines.stream()
                    .filter(line -> line.place().equals(place))
                    .map(Line::entry)
                    .toList();
            var _ = ledgers.decide(
                    place, holdings -> new Decision.Decided<>(holdings.without(gone::contains), true), PATIENCE);
        }
    }

    private boolean isGone(String namespace, String name) {
        return world.podNow(namespace, name).map(Sighting::finished).orElse(true);
    }

    private boolean ownerIsGone(DeviceClaim claim, JsonNode owner) {
        var pod = world.podNow(claim.metadata().namespace(), owner.path("name").asText());
        return pod.isEmpty()
                || !pod.get().getMetadata().getUid().equals(owner.path("uid").asText());
    }

    private static Optional<JsonNode> owner(DeviceClaim claim) {
        for (var owner : claim.metadata().all().path("ownerReferences")) {
            if (owner.path("kind").asText().equals("Pod")
                    && owner.path("controller").asBoolean()) {
                return Optional.of(owner);
            }
        }
        return Optional.empty();
    }

    /** The claims that this pod uses, or that were made for it. */
    List<DeviceClaim> claimsOf(String namespace, String podName) {
        var claims = new ArrayList<DeviceClaim>();
        for (var claim : world.book().all()) {
            if (claim.metadata().namespace().equals(namespace)
                    && (claim.status().podNames().contains(podName)
                            || owner(claim)
                                    .filter(owner -> owner.path("name").asText().equals(podName))
                                    .isPresent())) {
                claims.add(claim);
            }
        }
        return claims;
    }

    /** The same for all claims, in case a change was missed. */
    void checkAll() {
        for (var claim : List.copyOf(world.book().all())) {
            try {
                if (suspicious(claim)) {
                    check(claim);
                }
            } catch (RuntimeException problem) {
                LOG.warn(
                        "claim could not be checked and is looked at again later: claim={} reason={}",
                        claim.metadata().full(),
                        Releases.words(problem));
            }
        }
    }

    /** Whether the caches, at least, do not show all its pods. */
    private boolean suspicious(DeviceClaim claim) {
        var namespace = claim.metadata().namespace();
        return claim.status().podNames().stream()
                        .anyMatch(name -> world.pods()
                                .find(namespace, name)
                                .map(Sighting::finished)
                                .orElse(true))
                || owner(claim)
                        .filter(owner -> world.pods()
                                .find(namespace, owner.path("name").asText())
                                .isEmpty())
                        .isPresent();
    }
}
