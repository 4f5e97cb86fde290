package dev.berth.claims.file;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ClaimStatus.Allocation;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.demand.ClaimEntries;
import dev.berth.claims.demand.PlannedClaim;
import dev.berth.claims.demand.PodPlan;
import dev.berth.claims.demand.PodPlans;
import dev.berth.claims.demand.PoolDevices;
import dev.berth.claims.demand.Statuses;
import dev.berth.claims.demand.UnmetException;
import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.UnusableClaimException;
import dev.berth.claims.manifest.Manifest;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Words;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Unfit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Places every pending pod of a set of files, one after the other, as a scheduler would on a cluster. */
public final class FileSchedule {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final FileCluster cluster;
    private final Policy policy;
    private final Set<String> onlyOn;
    private final Map<NodeName, NodeRoom> rooms = new TreeMap<>();
    private final Allocator allocator = new Allocator();
    private final PodPlans plans;
    private final Statuses statuses;
    private final ResourceSchedule resources;
    private final Inventory inventory;
    private Ledger ledger;

    private FileSchedule(FileCluster cluster, Collection<String> nodes, Policy policy) {
        this.cluster = cluster;
        this.policy = policy;
        this.onlyOn = new HashSet<>(nodes);
        this.plans = new PodPlans(cluster.classes(), cluster);
        this.statuses = new Statuses(cluster);
        Set<NodeName> known = new TreeSet<>();
        nodes.forEach(name -> known.add(new NodeName(name)));
        cluster.nodes().values().forEach(node -> rooms.put(node.room().name(), node.room()));
        known.addAll(rooms.keySet());
        this.resources = new ResourceSchedule(cluster.resources(), cluster.namespaces(), rooms);
        this.inventory = resources.onto(PoolDevices.inventory(cluster.pools(), known), known);
        this.ledger = resources.onto(ClaimEntries.ledger(cluster.claims(), cluster::pool));
        for (FilePod pod : cluster.pods()) {
            if (pod.takesRoom()) {
                settle(pod, new NodeName(pod.nodeName()));
            }
        }
    }

    /** What became of one pod. */
    public sealed interface Outcome {
        String pod();

        /** One line for people. */
        String words();
    }

    /**
     * A pod that has its node.
     *
     * @param devices by claim
     */
    public record Placed(String pod, String node, Map<String, List<String>> devices, String why) implements Outcome {
        @Override
        public String words() {
            String got = devices.entrySet().stream()
                    .map(claim -> claim.getKey() + ": " + String.join(", ", claim.getValue()))
                    .collect(Collectors.joining("; "));
            return "%s: placed on %s%s (%s)".formatted(pod, node, got.isEmpty() ? "" : " with " + got, why);
        }
    }

    /** A pod that goes on waiting. */
    public record NotPlaced(String pod, String why) implements Outcome {
        @Override
        public String words() {
            return "%s: not placed: %s".formatted(pod, why);
        }
    }

    /**
     * All that came of it.
     *
     * @param written the claims and pods that changed, as they are now
     */
    public record Result(List<Outcome> outcomes, List<ObjectNode> written) {
        public boolean allPlaced() {
            return outcomes.stream().allMatch(Placed.class::isInstance);
        }
    }

    /**
     * Places the pods of these manifests.
     *
     * @param nodes only these may be taken; all when empty
     * @throws dev.berth.claims.manifest.ManifestException if one of them cannot be understood; then nothing was done
     */
    public static Result run(Collection<Manifest> manifests, Collection<String> nodes, Policy policy) {
        return new FileSchedule(FileCluster.of(manifests), nodes, policy).run();
    }

    private Result run() {
        List<Outcome> outcomes = new ArrayList<>();
        Map<String, ObjectNode> claims = new LinkedHashMap<>();
        List<ObjectNode> pods = new ArrayList<>();
        for (FilePod pod : cluster.pods()) {
            if (pod.isPending()) {
                outcomes.add(place(pod, claims, pods));
            }
        }
        List<ObjectNode> written = new ArrayList<>(claims.values());
        written.addAll(pods);
        return new Result(List.copyOf(outcomes), List.copyOf(written));
    }

    private Outcome place(FilePod pod, Map<String, ObjectNode> claims, List<ObjectNode> pods) {
        String name = pod.identity().toString();
        var extended = resources.extended(pod);
        if (extended.isPresent()) {
            // A node that has the resource itself, from a device plugin, needs no claim: that is the second try.
            var first = placeWithResources(pod, extended, claims, pods);
            if (first instanceof Placed
                    || pod.hasResourceClaims()
                    || !extended.get().anyByNumber(rooms.values())) {
                return first;
            }
        }
        if (pod.hasResourceClaims()) {
            return placeWithResources(pod, Optional.empty(), claims, pods);
        }
        try {
            PodPlan plan = pod.claims().isPresent()
                    ? plans.plan(pod.identity(), pod.claims().get(), nodeFit(pod.needs()))
                    : PodPlans.withoutClaims(pod.identity(), nodeFit(pod.needs()));
            return switch (allocator.place(inventory, ledger, plan.demand(), policy, Deadline.within(PATIENCE))) {
                case Placement placement -> {
                    var devices = grant(plan, placement, pod, claims);
                    pods.add(pod.bound(placement.node().value()));
                    settle(pod, placement.node());
                    yield new Placed(name, placement.node().value(), devices, placement.why());
                }
                case Refusal refusal -> new NotPlaced(name, reasons(refusal, _ -> ""));
            };
        } catch (UnmetException unmet) {
            return new NotPlaced(name, String.valueOf(unmet.getMessage()));
        }
    }

    /** The same way for a pod with claims of {@code resource.k8s.io}. */
    private Outcome placeWithResources(
            FilePod pod, Optional<ExtendedResources> extended, Map<String, ObjectNode> written, List<ObjectNode> pods) {
        String name = pod.identity().toString();
        if (pod.claims().isPresent()) {
            return new NotPlaced(
                    name, "it has claims of resource.k8s.io and of the prototype; a pod has one or the other");
        }
        try {
            var demand = resources.demand(pod, extended, inventory, nodeFit(pod, extended));
            return switch (allocator.place(inventory, ledger, demand.demand(), policy, Deadline.within(PATIENCE))) {
                case Placement placement -> {
                    Map<String, List<String>> devices = new LinkedHashMap<>();
                    for (var claim : resources.granted(pod, demand, placement)) {
                        ledger = resources.record(ledger, claim);
                        written.put(
                                "resource %s/%s"
                                        .formatted(
                                                claim.getMetadata().getNamespace(),
                                                claim.getMetadata().getName()),
                                ResourceSchedule.json(claim));
                        devices.put(claim.getMetadata().getName(), ResourceSchedule.devices(claim));
                    }
                    pods.add(ResourceSchedule.bound(pod, placement.node().value(), demand, extended));
                    settle(pod, placement.node());
                    yield new Placed(name, placement.node().value(), devices, placement.why());
                }
                case Refusal refusal -> new NotPlaced(name, reasons(refusal, resources::trouble));
            };
        } catch (UnusableClaimException unusable) {
            return new NotPlaced(name, String.valueOf(unusable.getMessage()));
        }
    }

    /** All statuses first: settings that are missing for one claim must not leave another half written. */
    private Map<String, List<String>> grant(
            PodPlan plan, Placement placement, FilePod pod, Map<String, ObjectNode> written) throws UnmetException {
        Map<PlannedClaim, DeviceClaim> granted = new LinkedHashMap<>();
        for (PlannedClaim planned : plan.claims()) {
            granted.put(
                    planned, statuses.granted(planned, placement, pod.identity().name()));
        }
        Map<String, List<String>> devices = new LinkedHashMap<>();
        granted.forEach((planned, claim) -> {
            if (planned.privileged().isPresent()) {
                var privileged = planned.privileged().get().withStatus(claim.status());
                cluster.put(privileged);
                written.put("privileged " + claim.metadata().full(), privileged.json());
            } else {
                cluster.put(claim);
                written.put(claim.metadata().full(), claim.json());
                record(claim);
            }
            devices.put(
                    claim.metadata().name(),
                    claim.status().allocations().stream()
                            .map(Allocation::toString)
                            .toList());
        });
        return devices;
    }

    private void record(DeviceClaim claim) {
        for (var line : ClaimEntries.of(claim, ClaimEntries.holder(claim), cluster::pool)) {
            ledger = ledger.with(line.place(), ledger.of(line.place()).recording(line.entry()));
        }
    }

    private void settle(FilePod pod, NodeName node) {
        rooms.computeIfPresent(node, (_, room) -> room.with(pod.needs()));
    }

    /** On a node that has a resource by number already, no devices stand for it. */
    private NodeFit nodeFit(FilePod pod, Optional<ExtendedResources> extended) {
        if (extended.isEmpty()) {
            return nodeFit(pod.needs());
        }
        var others = nodeFit(pod.needs().withoutRequests(extended.get().resources()));
        return extended.get().byDevices(others, node -> Optional.ofNullable(rooms.get(node)));
    }

    /** Files without Node objects say nothing about nodes beside their names. */
    private NodeFit nodeFit(PodNeeds needs) {
        Fit fit =
                Fit.of(needs, rooms.values(), namespace -> cluster.namespaces().getOrDefault(namespace, Map.of()));
        boolean nodesAreKnown = !rooms.isEmpty();
        return node -> {
            if (!onlyOn.isEmpty() && !onlyOn.contains(node.value())) {
                return Optional.of("not one of the nodes given by --node");
            }
            NodeRoom room = rooms.get(node);
            if (room == null) {
                return nodesAreKnown && onlyOn.isEmpty()
                        ? Optional.of("there is no Node object of this name")
                        : Optional.empty();
            }
            List<Unfit> unfits = fit.against(room);
            return unfits.isEmpty()
                    ? Optional.empty()
                    : Optional.of(unfits.stream().map(Unfit::words).collect(Collectors.joining(", ")));
        };
    }

    /** @param beside what else is to be said about a node */
    private static String reasons(Refusal refusal, Function<NodeName, String> beside) {
        if (refusal.perNode().isEmpty()) {
            return "there are no nodes: give Node objects, pools with a nodeName, or --node";
        }
        return refusal.perNode().entrySet().stream()
                .map(entry -> entry.getKey() + ": " + Words.of(entry.getValue()) + beside.apply(entry.getKey()))
                .collect(Collectors.joining("; "));
    }
}
