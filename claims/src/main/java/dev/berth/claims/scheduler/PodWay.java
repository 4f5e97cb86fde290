package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.claims.demand.PlannedClaim;
import dev.berth.claims.demand.PodPlan;
import dev.berth.claims.demand.PodPlans;
import dev.berth.claims.demand.PodPlans.PodIdentity;
import dev.berth.claims.demand.PoolDevices;
import dev.berth.claims.demand.Statuses;
import dev.berth.claims.demand.UnmetException;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Refusal;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.pod.BindingOutcome;
import dev.berth.kube.pod.Bindings;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The way of a pod, from top to bottom: what it claims, the engine's answer, the ledger, the claims' status, the
 * binding. {@link #decide} is for one thread at a time; {@link #write} may run for many pods at once.
 */
final class PodWay {
    private static final Duration THINKING = Duration.ofSeconds(2);

    /** A status must not be written when the entries that protect it may be gone by then. */
    private static final Duration MARGIN = Duration.ofSeconds(25);

    private final ClaimsWorld world;
    private final NodeLedgers ledgers;
    private final Policy policy;
    private final InstantSource clock;
    private final Allocator allocator = new Allocator();
    private final Underway underway;
    private final Reservation reservation;
    private final Release release;
    private final Bindings bindings;

    PodWay(
            ClaimsWorld world,
            NodeLedgers ledgers,
            Policy policy,
            Release release,
            Underway underway,
            InstantSource clock) {
        this.world = world;
        this.underway = underway;
        this.ledgers = ledgers;
        this.policy = policy;
        this.clock = clock;
        this.reservation = new Reservation(ledgers, policy, clock);
        this.release = release;
        this.bindings = new Bindings(world.cluster());
    }

    /** Either a place was found, or the attempt is over. */
    sealed interface Step {
        record Found(Decided decided) implements Step {}

        record Over(Outcome outcome) implements Step {}
    }

    /** Finds a place, and keeps it from this process's next decisions. */
    Step decide(Pod pod) {
        PodNeeds needs;
        PodPlan plan;
        Shortlist shortlist;
        try {
            needs = PodNeeds.of(pod);
            shortlist = new Shortlist(Fit.of(needs, world.rooms().all(), world::namespaceLabels), world.rooms());
            plan = plan(pod, shortlist);
        } catch (UnmetException | ManifestException | IllegalArgumentException unusable) {
            return new Step.Over(new Outcome.Refused(String.valueOf(unusable.getMessage()), List.of("claim")));
        }
        var inventory = world.catalogue().inventory();
        var ledger = underway.over(ledgers.ledger());
        for (var claim : plan.claims()) {
            // What an earlier attempt of this claim left behind is the claim's own.
            var uid = claim.claim().metadata().uid();
            for (var place : release.leftBehind(uid)) {
                ledger = ledger.with(place, ledger.of(place).without(uid));
            }
        }
        return switch (allocator.place(inventory, ledger, plan.demand(), policy, Deadline.within(THINKING))) {
            case Refusal refusal ->
                new Step.Over(
                        refusal.outOfTime()
                                ? new Outcome.Failed(RefusalNote.of(refusal, shortlist))
                                : new Outcome.Refused(
                                        RefusalNote.of(refusal, shortlist), RefusalNote.codes(refusal, shortlist)));
            case Placement placement -> {
                underway.add(
                        needs.uid(),
                        Decided.lines(
                                placement,
                                plan.claims(),
                                needs.name(),
                                clock.instant().plus(Reservation.LIFE)));
                world.rooms().assume(needs, placement.node());
                yield new Step.Found(new Decided(pod, needs, plan, inventory, ledger, placement));
            }
        };
    }

    private PodPlan plan(Pod pod, Shortlist nodes) throws UnmetException {
        var metadata = pod.getMetadata();
        var identity = new PodIdentity(metadata.getNamespace(), metadata.getName(), metadata.getUid());
        var claims = PodClaims.read(Wire.manifest(world.cluster(), pod));
        return claims.isEmpty()
                ? PodPlans.withoutClaims(identity, nodes)
                : new PodPlans(world.catalogue().classes(), world.lookup()).plan(identity, claims.get(), nodes);
    }

    /** Writes what was decided: ledger, claims, binding. */
    Outcome write(Decided decided) {
        boolean placed = false;
        try {
            var outcome = reserve(decided);
            placed = outcome instanceof Outcome.Placed;
            return outcome;
        } catch (KubernetesClientException problem) {
            return new Outcome.Failed(Failure.words(problem));
        } finally {
            underway.remove(decided.needs().uid());
            if (!placed) {
                world.rooms().takeBack(decided.needs().uid());
            }
        }
    }

    private Outcome reserve(Decided planned) {
        var claims = new ArrayList<PlannedClaim>();
        for (var claim : planned.plan().claims()) {
            claims.add(claim.isNew() ? claim.as(world.book().create(claim.claim())) : claim);
        }
        // One that was there under the same name is looked at again from the beginning.
        if (claims.stream().anyMatch(claim -> claim.claim().status().isAllocated() && !pinned(claim, planned))) {
            return new Outcome.LostRace("a claim was made by another");
        }
        var decided = planned.with(claims);
        return switch (reservation.take(decided)) {
            case Reservation.Lost(var why) -> new Outcome.LostRace(why);
            case Reservation.Failed(var why) -> new Outcome.Failed(why);
            case Reservation.Taken taken -> record(decided, taken);
        };
    }

    private static boolean pinned(PlannedClaim claim, Decided planned) {
        return planned.plan().claims().stream()
                .anyMatch(before -> before.claim()
                                .metadata()
                                .uid()
                                .equals(claim.claim().metadata().uid())
                        && before.claim().status().isAllocated());
    }

    private Outcome record(Decided decided, Reservation.Taken taken) {
        var podName = decided.pod().getMetadata().getName();
        var statuses = new Statuses(world.lookup());
        var written = new ArrayList<DeviceClaim>();
        var shown = new ArrayList<JsonNode>();
        for (var claim : decided.plan().claims()) {
            if (clock.instant().isAfter(taken.expires().minus(MARGIN))) {
                return giveUp(decided, taken, written, new Outcome.Failed("the API server took too long"));
            }
            DeviceClaim granted;
            try {
                granted = statuses.granted(claim, taken.placement(), podName);
            } catch (UnmetException unmet) {
                return giveUp(
                        decided,
                        taken,
                        written,
                        new Outcome.Refused(String.valueOf(unmet.getMessage()), List.of("claim")));
            }
            if (claim.privileged().isPresent()) {
                var privileged = claim.privileged().get().withStatus(granted.status());
                if (!world.book().writeStatus(privileged)) {
                    return giveUp(decided, taken, written, new Outcome.LostRace("the privileged claim changed"));
                }
                shown.add(privileged.json());
                continue;
            }
            var now = write(granted);
            if (now.isEmpty()) {
                return conflict(decided, taken, claim, written);
            }
            written.add(now.get());
            shown.add(now.get().json());
        }
        return bind(decided, taken, written, shown);
    }

    /** The claim as written; also if the answer got lost and a second look shows our own words. */
    private Optional<DeviceClaim> write(DeviceClaim granted) {
        var written = world.book().writeStatus(granted);
        if (written.isPresent()) {
            return written;
        }
        return world.book()
                .read(granted.metadata().namespace(), granted.metadata().name())
                .filter(now -> now.metadata().uid().equals(granted.metadata().uid())
                        && now.status().equals(granted.status()));
    }

    private Outcome conflict(Decided decided, Reservation.Taken taken, PlannedClaim claim, List<DeviceClaim> written) {
        var metadata = claim.claim().metadata();
        var now = world.book().find(metadata.namespace(), metadata.name());
        boolean settled = now.isEmpty()
                || !now.get().metadata().uid().equals(metadata.uid())
                || now.get().status().isAllocated();
        if (settled) {
            // Another allocation counts now: what it does not show is nobody's.
            reservation.undo(taken.lines(), line -> isOf(line, metadata.uid()) && !shows(now, line));
        } else {
            // Somebody else may be writing the very entry that we see: it stays, confirmed or until it expires.
            release.leave(metadata.uid(), taken.lines());
        }
        reservation.undo(taken.lines(), line -> !isOf(line, metadata.uid()) && !isWritten(line, written));
        release.giveBack(written, decided.pod().getMetadata().getName());
        return new Outcome.LostRace("the claim %s changed meanwhile".formatted(metadata.full()));
    }

    private static boolean isOf(Line line, String uid) {
        return line.entry().holder().id().equals(uid);
    }

    private static boolean isWritten(Line line, List<DeviceClaim> written) {
        return written.stream().anyMatch(claim -> isOf(line, claim.metadata().uid()));
    }

    private static boolean shows(Optional<DeviceClaim> claim, Line line) {
        return claim.stream()
                .flatMap(now -> now.status().allocations().stream())
                .anyMatch(allocation -> PoolDevices.id(allocation.devicePoolName(), allocation.deviceName())
                        .equals(line.entry().device()));
    }

    private Outcome giveUp(Decided decided, Reservation.Taken taken, List<DeviceClaim> written, Outcome outcome) {
        reservation.undo(taken.lines(), line -> !isWritten(line, written));
        release.giveBack(written, decided.pod().getMetadata().getName());
        return outcome;
    }

    private Outcome bind(Decided decided, Reservation.Taken taken, List<DeviceClaim> written, List<JsonNode> shown) {
        var metadata = decided.pod().getMetadata();
        var node = taken.placement().node();
        var outcome = bindings.bind(metadata.getNamespace(), metadata.getName(), metadata.getUid(), node, Map.of());
        return switch (outcome) {
            case BindingOutcome.Bound _ -> placed(taken.placement(), shown);
            case BindingOutcome.AlreadyBound(var where)
            when where.equals(node.value()) -> placed(taken.placement(), shown);
            case BindingOutcome.AlreadyBound _, BindingOutcome.Gone _ -> {
                release.giveBack(written, metadata.getName());
                yield new Outcome.NotWanted();
            }
            case BindingOutcome.Refused(var reason) -> {
                release.giveBack(written, metadata.getName());
                yield new Outcome.Failed(reason);
            }
        };
    }

    private static Outcome placed(Placement placement, List<JsonNode> claims) {
        var devices = placement.grants().stream()
                .map(grant -> "%s on %s".formatted(grant.ask(), grant.device().id()))
                .collect(Collectors.joining(", "));
        return new Outcome.Placed(placement.node(), placement.why(), devices, claims);
    }
}
