package dev.berth.claims.scheduler;

import dev.berth.claims.api.Group;
import dev.berth.claims.demand.ClaimEntries.Line;
import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.demand.PodDemand;
import dev.berth.claims.dra.demand.PodResourceClaims;
import dev.berth.claims.dra.demand.PodResourceClaims.Use;
import dev.berth.claims.dra.demand.UnusableClaimException;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.status.Held;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
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
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The way of a pod with claims of {@code resource.k8s.io}, from top to bottom: its claims, the engine's answer, the
 * ledger, the claims' status, the binding. {@link #decide} is for one thread at a time; {@link #write} may run for many
 * pods at once.
 */
final class ResourceWay {
    private static final Duration THINKING = Duration.ofSeconds(2);
    private static final String MIXED =
            "it has claims of resource.k8s.io and of the prototype; a pod has one or the other";
    private static final String MADE_BY_ANOTHER = "the claim for its extended resources was made by another";

    private final ClaimsWorld world;
    private final ResourceBook book;
    private final SliceCatalogue slices;
    private final NodeLedgers ledgers;
    private final Policy policy;
    private final InstantSource clock;
    private final Underway underway;
    private final Reservation reservation;
    private final ResourceRelease release;
    private final DeviceReadiness readiness;
    private final ExtendedClaims extendedClaims;
    private final Bindings bindings;
    private final Allocator allocator = new Allocator();
    private final ResourceRecording recording;
    private final Set<String> beingAllocated = ConcurrentHashMap.newKeySet();

    /** Where lines are that claims without devices may have, by the claim's uid. */
    private final Map<String, Set<NodeName>> leftBehind = new ConcurrentHashMap<>();

    ResourceWay(
            ClaimsWorld world,
            NodeLedgers ledgers,
            Policy policy,
            Underway underway,
            DeviceReadiness readiness,
            InstantSource clock) {
        this.world = world;
        this.book = world.resourceBook();
        this.slices = world.slices();
        this.ledgers = ledgers;
        this.policy = policy;
        this.clock = clock;
        this.underway = underway;
        this.reservation = new Reservation(ledgers, policy, clock);
        this.release = new ResourceRelease(world);
        this.readiness = readiness;
        this.extendedClaims = new ExtendedClaims(world.cluster(), book, slices);
        this.bindings = new Bindings(world.cluster());
        this.recording = new ResourceRecording(book, slices, clock);
        book.onChange((before, after) -> before.filter(
                        _ -> after.isEmpty() || !Held.results(after.get()).isEmpty())
                .ifPresent(claim -> leftBehind.remove(claim.getMetadata().getUid())));
    }

    /** Either a place was found, or the attempt is over. */
    sealed interface Step {
        record Found(ResourceDecided decided) implements Step {}

        record Over(Outcome outcome) implements Step {}
    }

    /** Whether the pod names claims of {@code resource.k8s.io}. */
    static boolean hasClaims(Pod pod) {
        return !Given.list(pod.getSpec().getResourceClaims()).isEmpty();
    }

    boolean takes(Pod pod) {
        return hasClaims(pod)
                || (!hasPrototypeClaims(pod) && extendedClaims.of(pod).isPresent());
    }

    /** Whether the pod could do without the devices of a class: a device plugin counts what it asks for. */
    boolean mayGoByNumber(Pod pod) {
        return !hasClaims(pod)
                && extendedClaims
                        .of(pod)
                        .filter(extended -> extended.anyByNumber(world.rooms().all()))
                        .isPresent();
    }

    private static boolean hasPrototypeClaims(Pod pod) {
        return Given.map(pod.getMetadata().getAnnotations()).containsKey(Group.CLAIMS_ANNOTATION)
                || pod.getSpec().getAdditionalProperties().containsKey("deviceClaims");
    }

    /** Finds a place, and keeps it from this process's next decisions. */
    Step decide(Pod pod) {
        if (hasClaims(pod) && hasPrototypeClaims(pod)) {
            return new Step.Over(new Outcome.Refused(MIXED, List.of("claim")));
        }
        var extended = extendedClaims.of(pod);
        PodNeeds needs;
        PodDemand demand;
        Shortlist shortlist;
        var inventory = world.catalogue().inventory();
        try {
            needs = PodNeeds.of(pod)
                    .withoutRequests(extended.map(ExtendedResources::resources).orElse(Set.of()));
            shortlist = new Shortlist(Fit.of(needs, world.rooms().all(), world::namespaceLabels), world.rooms());
            demand = demand(pod, extended, shortlist, inventory);
        } catch (UnusableClaimException | IllegalArgumentException unusable) {
            return new Step.Over(new Outcome.Refused(String.valueOf(unusable.getMessage()), List.of("claim")));
        }
        var fresh = toAllocate(demand);
        if (fresh.stream().anyMatch(beingAllocated::contains)) {
            return new Step.Over(new Outcome.LostRace("a claim is being allocated for another pod"));
        }
        var ledger = own(fresh, underway.over(ledgers.ledger()));
        return switch (allocator.place(inventory, ledger, demand.demand(), policy, Deadline.within(THINKING))) {
            case Refusal refusal ->
                new Step.Over(
                        refusal.outOfTime()
                                ? new Outcome.Failed(RefusalNote.of(refusal, shortlist))
                                : new Outcome.Refused(
                                        RefusalNote.of(refusal, shortlist), RefusalNote.codes(refusal, shortlist)));
            case Placement placement -> {
                var decided = new ResourceDecided(pod, needs, demand, extended, inventory, ledger, placement);
                underway.add(
                        needs.uid(), decided.lines(placement, clock.instant().plus(Reservation.LIFE)));
                beingAllocated.addAll(fresh);
                world.rooms().assume(needs, placement.node());
                yield new Step.Found(decided);
            }
        };
    }

    /** What earlier attempts of these claims left behind is their own. */
    private Ledger own(Set<String> claims, Ledger ledger) {
        var without = ledger;
        for (var uid : claims) {
            for (var place : leftBehind.getOrDefault(uid, Set.of())) {
                without = without.with(place, without.of(place).without(uid));
            }
        }
        return without;
    }

    private PodDemand demand(Pod pod, Optional<ExtendedResources> extended, Shortlist shortlist, Inventory inventory)
            throws UnusableClaimException {
        return PodDemand.of(
                Wire.name(pod),
                Given.text(pod.getMetadata().getUid()),
                claims(pod, book, extendedClaims),
                new PodDemand.Surroundings(slices::deviceClass, slices.stock(), inventory, world.rooms()::find),
                extended.map(resources -> resources.byDevices(shortlist, world.rooms()::find))
                        .orElse(shortlist));
    }

    private static Set<String> toAllocate(PodDemand demand) {
        return demand.claims().stream()
                .filter(claim -> !claim.allocated())
                .map(ResourceDecided::id)
                .collect(Collectors.toSet());
    }

    /** The pod's claims by what it calls them, as they are now. */
    static SequencedMap<String, ResourceClaim> claims(Pod pod, ResourceBook book, ExtendedClaims extendedClaims)
            throws UnusableClaimException {
        var namespace = pod.getMetadata().getNamespace();
        var claims = new LinkedHashMap<String, ResourceClaim>();
        for (var use : PodResourceClaims.of(pod)) {
            String name = switch (use) {
                case Use.Named(String _, var claim) -> claim;
                case Use.Made made ->
                    PodResourceClaims.madeName(pod, made)
                            .orElseThrow(() -> new UnusableClaimException(
                                    "the claim %s was not made from its template yet".formatted(made.name())));
            };
            // The pod's status may name a claim of which the other watch has not told yet, and nobody would come back
            // to it.
            var claim = book.find(namespace, name)
                    .or(() -> use instanceof Use.Made ? book.read(namespace, name) : Optional.empty())
                    .orElseThrow(() -> new UnusableClaimException("resourceclaim \"%s\" not found".formatted(name)));
            if (use instanceof Use.Made && !PodResourceClaims.isOwned(claim, pod)) {
                throw new UnusableClaimException("resourceclaim \"%s\" was not created for this pod".formatted(name));
            }
            if (claims.values().stream()
                    .noneMatch(known -> known.getMetadata().getName().equals(name))) {
                claims.put(use.name(), claim);
            }
        }
        extendedClaims
                .of(pod)
                .ifPresent(resources -> claims.put(ExtendedResources.USE, extendedClaims.find(pod, resources)));
        return claims;
    }

    /** Writes what was decided: ledger, claims, binding. */
    Outcome write(ResourceDecided decided) {
        boolean placed = false;
        try {
            var outcome = made(decided).map(this::reserve).orElseGet(() -> new Outcome.LostRace(MADE_BY_ANOTHER));
            placed = outcome instanceof Outcome.Placed;
            return outcome;
        } catch (KubernetesClientException problem) {
            return new Outcome.Failed(Failure.words(problem));
        } finally {
            underway.remove(decided.needs().uid());
            beingAllocated.removeAll(toAllocate(decided.asked()));
            if (!placed) {
                world.rooms().takeBack(decided.needs().uid());
            }
        }
    }

    /** The same with the claim that nobody wrote; nothing if another was faster to make it. */
    private Optional<ResourceDecided> made(ResourceDecided decided) {
        var claims = new ArrayList<PlannedClaim>();
        for (var planned : decided.asked().claims()) {
            var known = ExtendedClaims.isToBeMade(planned)
                    ? extendedClaims.make(decided.pod(), planned)
                    : Optional.of(planned);
            if (known.isEmpty()) {
                return Optional.empty();
            }
            claims.add(known.get());
        }
        return Optional.of(decided.with(claims));
    }

    private Outcome reserve(ResourceDecided decided) {
        return switch (reservation.take(decided)) {
            case Reservation.Lost(var why) -> {
                takeBack(decided, List.of());
                yield new Outcome.LostRace(why);
            }
            case Reservation.Failed(var why) -> new Outcome.Failed(why);
            case Reservation.Taken taken -> record(decided, taken);
        };
    }

    private Outcome record(ResourceDecided decided, Reservation.Taken taken) {
        var written = new ArrayList<ResourceClaim>();
        try {
            for (var planned : decided.asked().claims()) {
                var now = recording.write(decided.pod(), planned, taken.placement());
                if (now.isEmpty()) {
                    giveUp(decided, taken, written);
                    return new Outcome.LostRace("the claim %s changed meanwhile".formatted(planned.fullName()));
                }
                written.add(now.get());
            }
        } catch (KubernetesClientException problem) {
            giveUp(decided, taken, written);
            throw problem;
        }
        return bind(decided, taken, written);
    }

    /** What was written is taken back; what was taken in the ledger goes where it is nobody's by now. */
    private void giveUp(ResourceDecided decided, Reservation.Taken taken, List<ResourceClaim> written) {
        takeBack(decided, written);
        var shown = written.stream().map(claim -> claim.getMetadata().getUid()).collect(Collectors.toSet());
        for (var planned : decided.asked().claims()) {
            var uid = ResourceDecided.id(planned);
            var lines = taken.lines().stream()
                    .filter(line -> line.entry().holder().id().equals(uid))
                    .toList();
            if (lines.isEmpty() || shown.contains(uid)) {
                continue;
            }
            var now = book.read(
                            planned.claim().getMetadata().getNamespace(),
                            planned.claim().getMetadata().getName())
                    .filter(claim -> claim.getMetadata().getUid().equals(uid));
            if (now.isPresent() && !planned.as(now.get()).allocated()) {
                // Another scheduler may be about to write the very device: the line stays until it expires.
                leftBehind.put(uid, lines.stream().map(Line::place).collect(Collectors.toSet()));
            } else {
                var held = now.map(Held::shares).orElse(Map.of());
                reservation.undo(lines, line -> !held.containsKey(line.entry().device()));
            }
        }
    }

    /** The pod leaves the claims; the one that nobody wrote goes. */
    private void takeBack(ResourceDecided decided, List<ResourceClaim> written) {
        written.forEach(
                claim -> release.leave(claim, Set.of(decided.pod().getMetadata().getUid())));
        decided.asked().claims().stream()
                .filter(planned -> planned.use().equals(ExtendedResources.USE))
                .forEach(planned -> extendedClaims.remove(planned.claim()));
    }

    private Outcome bind(ResourceDecided decided, Reservation.Taken taken, List<ResourceClaim> written) {
        var metadata = decided.pod().getMetadata();
        var unready = readiness.await(written);
        if (unready.isPresent()) {
            takeBack(decided, written);
            return new Outcome.Failed(unready.get());
        }
        if (!toldOfExtended(decided, written)) {
            takeBack(decided, written);
            return new Outcome.NotWanted();
        }
        var node = taken.placement().node();
        var outcome = bindings.bind(metadata.getNamespace(), metadata.getName(), metadata.getUid(), node, Map.of());
        return switch (outcome) {
            case BindingOutcome.Bound _ -> placed(taken.placement(), written);
            case BindingOutcome.AlreadyBound(var where)
            when where.equals(node.value()) -> placed(taken.placement(), written);
            case BindingOutcome.AlreadyBound _, BindingOutcome.Gone _ -> {
                takeBack(decided, written);
                yield new Outcome.NotWanted();
            }
            case BindingOutcome.Refused(var reason) -> {
                takeBack(decided, written);
                yield new Outcome.Failed(reason);
            }
        };
    }

    /** A kubelet finds the devices for an extended resource by the pod's status alone. */
    private boolean toldOfExtended(ResourceDecided decided, List<ResourceClaim> written) {
        for (int index = 0; index < written.size(); index++) {
            var planned = decided.asked().claims().get(index);
            if (planned.use().equals(ExtendedResources.USE)
                    && !extendedClaims.tell(decided.pod(), decided.extended().orElseThrow(), written.get(index))) {
                return false;
            }
        }
        return true;
    }

    private Outcome placed(Placement placement, List<ResourceClaim> written) {
        var devices = placement.grants().stream()
                .map(grant -> "%s on %s".formatted(grant.ask(), grant.device().id()))
                .collect(Collectors.joining(", "));
        return new Outcome.Placed(
                placement.node(),
                placement.why(),
                devices,
                List.copyOf(written.stream()
                        .map(claim -> Wire.tree(world.cluster(), claim))
                        .toList()));
    }
}
