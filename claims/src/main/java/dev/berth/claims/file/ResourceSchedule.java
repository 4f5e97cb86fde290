package dev.berth.claims.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.dra.demand.ExtendedResources;
import dev.berth.claims.dra.demand.PlannedClaim;
import dev.berth.claims.dra.demand.PodDemand;
import dev.berth.claims.dra.demand.PodResourceClaims;
import dev.berth.claims.dra.demand.PodResourceClaims.Use;
import dev.berth.claims.dra.demand.UnusableClaimException;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.Stock;
import dev.berth.claims.dra.status.Allocations;
import dev.berth.claims.dra.status.Held;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.verdict.Placement;
import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReferenceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The part of a file's schedule that speaks {@code resource.k8s.io/v1}. */
final class ResourceSchedule {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_EMPTY);
    private static final String ADMIN_LABEL = "resource.kubernetes.io/admin-access";

    private final ResourceFiles files;
    private final Map<String, Map<String, String>> namespaces;
    private final Map<NodeName, NodeRoom> rooms;
    private final Stock stock;
    private int shares;

    /** @param namespaces the labels of those that the files have */
    ResourceSchedule(ResourceFiles files, Map<String, Map<String, String>> namespaces, Map<NodeName, NodeRoom> rooms) {
        this.files = files;
        this.namespaces = namespaces;
        this.rooms = rooms;
        this.stock = Stock.of(files.slices(), List.copyOf(rooms.values()), files.rules());
    }

    Inventory onto(Inventory inventory, Collection<NodeName> nodes) {
        return stock.onto(inventory, nodes);
    }

    Ledger onto(Ledger ledger) {
        var all = ledger;
        for (var claim : files.claims()) {
            all = record(all, claim);
        }
        return all;
    }

    Ledger record(Ledger ledger, ResourceClaim claim) {
        var all = ledger;
        for (var line : Held.lines(claim, Held.holder(claim), stock::page)) {
            all = all.with(line.page(), all.of(line.page()).recording(line.entry()));
        }
        return all;
    }

    /** What the pod asks for by number, and a class has devices for. */
    Optional<ExtendedResources> extended(FilePod pod) {
        return ExtendedResources.of(owner(pod), files.classes());
    }

    PodDemand demand(FilePod pod, Optional<ExtendedResources> extended, Inventory inventory, NodeFit nodes)
            throws UnusableClaimException {
        var claims = new LinkedHashMap<String, ResourceClaim>();
        for (var use : PodResourceClaims.of(pod.model())) {
            var claim = claim(pod, use);
            checkAdmin(claim);
            boolean twice =
                    claims.values().stream().anyMatch(known -> name(known).equals(name(claim)));
            if (!twice) {
                claims.put(use.name(), claim);
            }
        }
        extended.ifPresent(resources -> claims.put(
                ExtendedResources.USE,
                files.claim(pod.identity().namespace(), name(resources.claim())).orElse(resources.claim())));
        return PodDemand.of(
                pod.identity().toString(),
                uid(pod),
                claims,
                new PodDemand.Surroundings(files::deviceClass, stock, inventory, this::room),
                nodes);
    }

    private ResourceClaim claim(FilePod pod, Use use) throws UnusableClaimException {
        String namespace = pod.identity().namespace();
        return switch (use) {
            case Use.Named(String _, var claim) ->
                files.claim(namespace, claim)
                        .orElseThrow(
                                () -> new UnusableClaimException("resourceclaim \"%s\" not found".formatted(claim)));
            case Use.Made made -> {
                String name = PodResourceClaims.madeName(pod.model(), made)
                        .orElse(pod.identity().name() + "-" + made.name());
                var known = files.claim(namespace, name);
                if (known.isPresent() && !PodResourceClaims.isOwned(known.get(), owner(pod))) {
                    throw new UnusableClaimException(
                            "resourceclaim \"%s\" was not created for this pod".formatted(name));
                }
                var template = files.template(namespace, made.template());
                if (known.isEmpty() && template.isEmpty()) {
                    throw new UnusableClaimException(
                            "resourceclaimtemplate \"%s\" not found".formatted(made.template()));
                }
                yield known.orElseGet(() -> PodResourceClaims.make(owner(pod), made, template.orElseThrow(), name));
            }
        };
    }

    /** The pod with the uid that is its own in these files. */
    private static io.fabric8.kubernetes.api.model.Pod owner(FilePod pod) {
        return new PodBuilder(pod.model())
                .editMetadata()
                .withNamespace(pod.identity().namespace())
                .withUid(uid(pod))
                .endMetadata()
                .build();
    }

    /** Files rarely have uids; what stands for one is the same every time. */
    private static String uid(FilePod pod) {
        String known = pod.identity().uid();
        return known.isEmpty()
                ? UUID.nameUUIDFromBytes(("pod " + pod.identity()).getBytes(StandardCharsets.UTF_8))
                        .toString()
                : known;
    }

    private static String name(ResourceClaim claim) {
        return claim.getMetadata().getName();
    }

    /** A server does not store a claim that wants this in a namespace that is not made for it. */
    private void checkAdmin(ResourceClaim claim) throws UnusableClaimException {
        var labels = namespaces.get(ResourceFiles.namespace(claim));
        boolean wanted = claim.getSpec().getDevices() != null
                && Given.list(claim.getSpec().getDevices().getRequests()).stream()
                        .anyMatch(request -> request.getExactly() != null
                                && Given.flag(request.getExactly().getAdminAccess()));
        if (wanted && labels != null && !"true".equals(labels.get(ADMIN_LABEL))) {
            throw new UnusableClaimException("claim %s: admin access to devices requires the `%s: true` label on the"
                            .formatted(name(claim), ADMIN_LABEL)
                    + " containing namespace");
        }
    }

    private Optional<NodeRoom> room(NodeName node) {
        return Optional.of(rooms.getOrDefault(
                node,
                NodeRoom.empty(new NodeBuilder()
                        .withNewMetadata()
                        .withName(node.value())
                        .endMetadata()
                        .build())));
    }

    /** The pools that the node would have devices of, were they not incomplete or invalid: nobody would guess it. */
    String trouble(NodeName node) {
        return stock.troubles(node).entrySet().stream()
                .map(pool -> " (resource pool %s is %s)".formatted(pool.getKey(), pool.getValue()))
                .collect(Collectors.joining());
    }

    /** The claims with what they got, and the pod among those that use them. */
    List<ResourceClaim> granted(FilePod pod, PodDemand demand, Placement placement) {
        var allocations = new Allocations(stock::find, files::deviceClass, this::shareId);
        var granted = new ArrayList<ResourceClaim>();
        for (var planned : demand.claims()) {
            granted.add(granted(pod, planned, placement, allocations));
        }
        granted.forEach(files::put);
        return granted;
    }

    private ResourceClaim granted(FilePod pod, PlannedClaim planned, Placement placement, Allocations allocations) {
        var claim = new ResourceClaimBuilder(planned.claim()).build();
        var status = Optional.ofNullable(claim.getStatus()).orElseGet(ResourceClaimStatus::new);
        if (!planned.allocated()) {
            status.setAllocation(allocations.of(planned, placement));
        }
        var consumers = new ArrayList<ResourceClaimConsumerReference>(Given.list(status.getReservedFor()));
        if (consumers.stream().noneMatch(consumer -> uid(pod).equals(consumer.getUid()))) {
            consumers.add(new ResourceClaimConsumerReferenceBuilder()
                    .withResource("pods")
                    .withName(pod.identity().name())
                    .withUid(uid(pod))
                    .build());
        }
        status.setReservedFor(consumers);
        claim.setStatus(status);
        return claim;
    }

    /** The same shares get the same names every time. */
    private String shareId() {
        return UUID.nameUUIDFromBytes(("share " + shares++).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** The pod, with its node and the claims that were made for it. */
    static ObjectNode bound(FilePod pod, String node, PodDemand demand, Optional<ExtendedResources> extended)
            throws UnusableClaimException {
        var body = pod.bound(node);
        extended.ifPresent(resources -> {
            var status = body.withObjectProperty("status").putObject("extendedResourceClaimStatus");
            status.put("resourceClaimName", name(resources.claim()));
            status.set("requestMappings", MAPPER.valueToTree(resources.mappings()));
        });
        var made = MAPPER.createArrayNode();
        for (var use : PodResourceClaims.of(pod.model())) {
            if (use instanceof Use.Made) {
                demand.claims().stream()
                        .filter(planned -> planned.use().equals(use.name()))
                        .forEach(planned -> made.addObject()
                                .put("name", use.name())
                                .put("resourceClaimName", name(planned.claim())));
            }
        }
        if (!made.isEmpty()) {
            body.withObjectProperty("status").set("resourceClaimStatuses", made);
        }
        return body;
    }

    static ObjectNode json(ResourceClaim claim) {
        return MAPPER.convertValue(claim, ObjectNode.class);
    }

    /** {@code pool/device} for each that a claim got, the way people say it. */
    static List<String> devices(ResourceClaim claim) {
        return Held.results(claim).stream()
                .map(result -> "%s/%s".formatted(result.getPool(), result.getDevice()))
                .toList();
    }
}
