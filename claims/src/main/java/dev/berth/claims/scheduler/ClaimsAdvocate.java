package dev.berth.claims.scheduler;

import dev.berth.claims.api.Group;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.demand.PodPlan;
import dev.berth.claims.demand.PodPlans;
import dev.berth.claims.demand.PodPlans.PodIdentity;
import dev.berth.claims.demand.UnmetException;
import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.Inspection;
import dev.berth.claims.dra.demand.PodDemand;
import dev.berth.claims.dra.demand.UnusableClaimException;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Demand;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.core.explain.Objections;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Verdict;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.explain.Advocate;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.schedule.PodFilter;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Says which devices a pod's claims would get. Where the kinds are not served, there is nothing to be had. */
public final class ClaimsAdvocate implements Advocate {
    private static final Duration THINKING = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Lookout lookout;
    private final String schedulerName;
    private final Policy policy;
    private final ClaimBook book;
    private final Catalogue catalogue;
    private final ClaimEvidence evidence;
    private final ResourceBook resourceBook;
    private final SliceCatalogue slices;
    private final ResourceEvidence resourceEvidence;
    private final ExtendedClaims extendedClaims;
    private final boolean resourcesServed;
    private final Allocator allocator = new Allocator();
    private final boolean served;

    public ClaimsAdvocate(Lookout lookout, String schedulerName, Policy policy) {
        this.lookout = lookout;
        this.schedulerName = schedulerName;
        this.policy = policy;
        this.book = new ClaimBook(lookout.cluster());
        this.resourcesServed = lookout.cluster().serves("resource.k8s.io/v1", "resourceclaims", PATIENCE);
        this.resourceBook = new ResourceBook(lookout.cluster());
        this.slices = new SliceCatalogue(
                lookout.cluster(),
                lookout.rooms()::all,
                resourcesServed ? SliceCatalogue.servedRules(lookout.cluster(), PATIENCE) : Optional.empty());
        this.resourceEvidence = new ResourceEvidence(resourceBook, slices, this::synced);
        this.extendedClaims = new ExtendedClaims(lookout.cluster(), resourceBook, slices);
        this.catalogue = new Catalogue(lookout.cluster(), slices);
        this.evidence = new ClaimEvidence(book, catalogue, this::synced);
        this.served = lookout.cluster().serves(Group.API_VERSION, Kind.CLAIM.plural(), PATIENCE);
        lookout.nodes().onChange(catalogue::heardNode);
        lookout.nodes().onChange(slices::heardNode);
        resourceBook.onChange((before, after) -> {
            resourceEvidence.heard(before, after);
            lookout.changed();
        });
        slices.onChange(() -> {
            // A pool that became known after its claims.
            resourceEvidence.nodes();
            lookout.changed();
        });
        book.onChange((before, after) -> {
            evidence.heard(before, after);
            lookout.changed();
        });
        catalogue.onChange(() -> {
            // A pool that became known after its claims.
            evidence.nodes();
            lookout.changed();
        });
    }

    @Override
    public Door door() {
        return Door.CLAIMS;
    }

    @Override
    public void start() {
        caches().forEach(Cache::start);
    }

    @Override
    public boolean synced() {
        return caches().stream().allMatch(Cache::synced);
    }

    private List<Cache<?>> caches() {
        var all = new ArrayList<Cache<?>>();
        if (served) {
            all.addAll(book.caches());
            all.addAll(catalogue.caches());
        }
        if (resourcesServed) {
            all.addAll(resourceBook.caches());
            all.addAll(slices.caches());
        }
        return all;
    }

    @Override
    public List<Device> devices(NodeName node) {
        return catalogue.inventory().devices(node);
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return new BothEvidence(evidence, resourceEvidence).shown(node);
    }

    @Override
    public boolean takes(Pod pod) {
        try {
            return PodFilter.isOf(pod, schedulerName)
                    || ResourceWay.hasClaims(pod)
                    || PodClaims.read(Wire.manifest(lookout.cluster(), pod)).isPresent();
        } catch (ManifestException unreadable) {
            // It means to, and is told what is wrong with it.
            return true;
        }
    }

    @Override
    public boolean maybeCard(Device device) {
        return PooledCards.gpus(device);
    }

    @Override
    public String asks(Pod pod) {
        try {
            var names = demand(pod, shortlist(pod)).asks().stream()
                    .map(ask -> ask.name())
                    .toList();
            return names.isEmpty() ? "no devices" : "devices for " + String.join(", ", names);
        } catch (UnmetException | UnusableClaimException | ManifestException | IllegalArgumentException unusable) {
            return "devices by claim";
        }
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        return answer(
                pod,
                ledger,
                demand -> allocator.place(catalogue.inventory(), ledger, demand, policy, Deadline.within(THINKING)));
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        return answer(
                pod,
                ledger,
                demand -> Allocator.placeOn(
                        node, catalogue.inventory(), ledger, demand, policy, Deadline.within(THINKING)));
    }

    private Answer answer(Pod pod, Ledger ledger, Function<Demand, Verdict> asked) {
        try {
            var shortlist = shortlist(pod);
            var demand = demand(pod, shortlist);
            var answer = Objections.of(asked.apply(demand), NodeObjections::of);
            return answer instanceof Answer.Waits(var objections) && speaksOfResources(pod)
                    ? new Answer.Waits(inspected(objections, demand, shortlist, ledger))
                    : answer;
        } catch (UnmetException | UnusableClaimException | ManifestException | IllegalArgumentException unusable) {
            return new Answer.Unusable(String.valueOf(unusable.getMessage()));
        }
    }

    /** With what became of the devices of each node that would do otherwise. */
    private Map<NodeName, Objection> inspected(
            Map<NodeName, Objection> objections, Demand demand, Shortlist shortlist, Ledger ledger) {
        var inspection = new Inspection(catalogue.inventory(), ledger, this::holder);
        var all = new TreeMap<NodeName, Objection>();
        objections.forEach((node, objection) -> all.put(
                node,
                shortlist.against(node).isEmpty() ? objection.having(inspection.of(node, demand.asks())) : objection));
        return all;
    }

    /** By its claim, where it is one's of {@code resource.k8s.io}. */
    private String holder(Holder holder) {
        return resourceBook.all().stream()
                .filter(claim -> holder.id().equals(claim.getMetadata().getUid()))
                .findFirst()
                .map(claim -> "claim %s".formatted(Wire.name(claim)))
                .orElseGet(holder::toString);
    }

    private boolean speaksOfResources(Pod pod) {
        return ResourceWay.hasClaims(pod) || extendedClaims.of(pod).isPresent();
    }

    private Demand demand(Pod pod, Shortlist nodes) throws UnmetException, UnusableClaimException {
        if (!speaksOfResources(pod)) {
            return plan(pod, nodes).demand();
        }
        var extended = extendedClaims.of(pod);
        return PodDemand.of(
                        Wire.name(pod),
                        Objects.requireNonNullElse(pod.getMetadata().getUid(), ""),
                        ResourceWay.claims(pod, resourceBook, extendedClaims),
                        new PodDemand.Surroundings(
                                slices::deviceClass, slices.stock(), catalogue.inventory(), lookout.rooms()::find),
                        extended.map(resources -> resources.byDevices(nodes, lookout.rooms()::find))
                                .orElse(nodes))
                .demand();
    }

    private Shortlist shortlist(Pod pod) {
        var byDevices = extendedClaims.of(pod).map(ExtendedResources::resources).orElse(Set.of());
        var needs = PodNeeds.of(pod).withoutRequests(byDevices);
        return new Shortlist(Fit.of(needs, lookout.rooms().all(), lookout::namespaceLabels), lookout.rooms());
    }

    private PodPlan plan(Pod pod, Shortlist nodes) throws UnmetException {
        var metadata = pod.getMetadata();
        var identity = new PodIdentity(
                Objects.requireNonNullElse(metadata.getNamespace(), "default"),
                Objects.requireNonNullElse(metadata.getName(), ""),
                Objects.requireNonNullElse(metadata.getUid(), ""));
        var claims = PodClaims.read(Wire.manifest(lookout.cluster(), pod));
        return claims.isEmpty()
                ? PodPlans.withoutClaims(identity, nodes)
                : new PodPlans(catalogue.classes(), new ServerLookup(lookout.cluster(), book, catalogue))
                        .plan(identity, claims.get(), nodes);
    }

    @Override
    public void close() {
        caches().forEach(Cache::close);
    }
}
