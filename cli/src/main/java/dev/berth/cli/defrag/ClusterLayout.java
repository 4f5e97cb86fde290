package dev.berth.cli.defrag;

import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.move.Amounts;
import dev.berth.core.move.Layout;
import dev.berth.core.move.Need;
import dev.berth.core.move.NodeSet;
import dev.berth.core.move.Site;
import dev.berth.core.move.Spot;
import dev.berth.core.move.Tenant;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.Slice;
import dev.berth.extender.wire.Keys;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Resources;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Makes a layout of a real cluster: its nodes' GPUs and room, its pods with what they hold and where else they may go.
 */
final class ClusterLayout {
    /** Counted on cards, not on nodes. */
    private static final Set<String> ON_CARDS = Set.of(Keys.CORES, Keys.MEMORY);

    private static final long ANY = Long.MAX_VALUE / 4;
    private static final NodeSet NOWHERE = NodeSet.of(0, _ -> false);

    private final List<NodeRoom> rooms;
    private final Map<NodeName, Cards> cards;
    private final List<Pod> pods;
    private final Function<String, Map<String, String>> namespaceLabels;
    private final List<String> resources;
    private final Layout layout;
    private final Map<String, Pod> movable = new HashMap<>();

    ClusterLayout(
            Collection<NodeRoom> rooms,
            Map<NodeName, Cards> cards,
            Collection<Pod> pods,
            Function<String, Map<String, String>> namespaceLabels) {
        this.rooms = rooms.stream()
                .sorted(Comparator.comparing(NodeRoom::name))
                .map(ClusterLayout::withPlaces)
                .toList();
        this.cards = Map.copyOf(cards);
        this.pods = pods.stream()
                .filter(pod -> !Sighting.finished(pod))
                .sorted(Comparator.comparing(
                                (Pod pod) -> String.valueOf(pod.getMetadata().getCreationTimestamp()))
                        .thenComparing(ClusterLayout::name))
                .toList();
        this.namespaceLabels = namespaceLabels;
        this.resources = resources();
        this.layout = new Layout(this.rooms.stream().map(this::site).toList());
    }

    /** Places for pods are counted like everything else, so that a move frees one. */
    private static NodeRoom withPlaces(NodeRoom room) {
        return new NodeRoom(
                room.name(),
                room.labels(),
                room.unschedulable(),
                room.taints(),
                room.ready(),
                room.allocatable().plus(new Resources(Map.of(Resources.PODS, ANY))),
                room.pods(),
                room.shunning(),
                room.taken());
    }

    static String name(Pod pod) {
        return "%s/%s"
                .formatted(
                        Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "default"),
                        pod.getMetadata().getName());
    }

    private List<String> resources() {
        var others = new TreeSet<String>();
        pods.forEach(pod -> others.addAll(PodNeeds.of(pod).requests().amounts().keySet()));
        var first = List.of(Resources.CPU, Resources.MEMORY, Resources.PODS);
        first.forEach(others::remove);
        others.removeAll(ON_CARDS);
        var all = new ArrayList<>(first);
        all.addAll(others);
        return all;
    }

    private Site site(NodeRoom room) {
        var of = cards.getOrDefault(room.name(), new Cards("", GpuCapacity.NONE, List.of()));
        return new Site(room.name(), of.model(), of.capacity(), amounts(resource -> has(room, resource)));
    }

    /** What {@link #withPlaces} added is taken away again; a node that says nothing of places has enough. */
    private static long has(NodeRoom room, String resource) {
        long all = room.allocatable().of(resource);
        if (!resource.equals(Resources.PODS)) {
            return all;
        }
        return all == ANY ? ANY : all - ANY;
    }

    private Amounts amounts(ToLongFunction<String> of) {
        return Amounts.of(resources.stream().mapToLong(of).toArray());
    }

    Situation situation() {
        var late = new ArrayList<Pod>();
        Map<NodeName, Set<String>> seen = new HashMap<>();
        for (int node = 0; node < rooms.size(); node++) {
            for (var pod : on(rooms.get(node).name())) {
                seen.computeIfAbsent(rooms.get(node).name(), _ -> new HashSet<>())
                        .add(name(pod));
                var ask = ask(pod, rooms.get(node).name());
                if (ask.devices().isPresent()) {
                    add(pod, ask, new Spot(node, ask.devices().get()));
                } else {
                    late.add(pod);
                }
            }
            addStrangers(node, seen.getOrDefault(rooms.get(node).name(), Set.of()));
        }
        late.forEach(this::addSomewhere);
        var waiting = pods.stream()
                .filter(pod -> node(pod).isEmpty())
                .filter(pod -> ask(pod).stays().isEmpty() && !ask(pod).slices().isEmpty())
                .map(pod -> new Situation.Waiting(name(pod), need(pod)))
                .toList();
        return new Situation(layout, waiting, movable);
    }

    private List<Pod> on(NodeName node) {
        return pods.stream()
                .filter(pod -> node(pod).equals(Optional.of(node.value())))
                .toList();
    }

    private static Optional<String> node(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName()).filter(name -> !name.isEmpty());
    }

    private static PodAsk ask(Pod pod) {
        return PodAsk.of(pod, List.of());
    }

    private PodAsk ask(Pod pod, NodeName node) {
        var held = cards.get(node);
        return PodAsk.of(
                pod,
                held == null
                        ? List.of()
                        : held.entries().stream()
                                .filter(entry -> entry.holder().toString().equals(name(pod)))
                                .toList());
    }

    private void add(Pod pod, PodAsk ask, Spot spot) {
        int gpus = layout.sites().get(spot.node()).gpus().devices();
        var stays = Mobility.stays(pod).or(ask::stays);
        if (spot.gpus().stream().anyMatch(gpu -> gpu >= gpus)) {
            // Its node has fewer GPUs than it says it has: nothing of what there is is its own.
            layout.add(
                    new Tenant(
                            name(pod), fixed(List.of(), pod), Optional.of("its node does not have the GPUs it names")),
                    new Spot(spot.node(), List.of()));
            return;
        }
        if (stays.isEmpty()) {
            movable.put(name(pod), pod);
        }
        layout.add(new Tenant(name(pod), stays.isEmpty() ? need(pod) : fixed(ask.slices(), pod), stays), spot);
    }

    /** GPUs by number: which ones they are only the node knows; the last ones that are free stand for them. */
    private void addSomewhere(Pod pod) {
        int node = IntStream.range(0, rooms.size())
                .filter(each -> rooms.get(each).name().value().equals(node(pod).orElse("")))
                .findFirst()
                .orElseThrow();
        var ask = ask(pod, rooms.get(node).name());
        var devices = new ArrayList<List<Integer>>();
        for (var slice : ask.slices()) {
            var last = IntStream.range(0, layout.sites().get(node).gpus().devices())
                    .map(device -> layout.sites().get(node).gpus().devices() - 1 - device)
                    .filter(device -> layout.free(node, device) >= Math.min(Slice.WHOLE, slice.cores()))
                    .filter(device -> devices.stream().noneMatch(taken -> taken.contains(device)))
                    .limit(Math.max(1, slice.gpus()))
                    .boxed()
                    .toList();
            devices.add(last);
        }
        add(pod, ask, new Spot(node, devices));
    }

    /** What is held by pods that are not here: those on their way, and reservations. */
    private void addStrangers(int node, Set<String> seen) {
        var held = cards.get(rooms.get(node).name());
        for (var entry : held == null ? List.<Entry>of() : held.entries()) {
            var holder = entry.holder().toString();
            if (!seen.contains(holder)) {
                layout.add(
                        new Tenant(
                                holder,
                                new Need(List.of(PodAsk.slice(entry)), amounts(_ -> 0), NOWHERE),
                                Optional.of("it is not there yet")),
                        new Spot(node, List.of(PodAsk.number(entry))));
            }
        }
    }

    private Need fixed(List<Slice> slices, Pod pod) {
        return new Need(slices, rest(pod), NOWHERE);
    }

    private Amounts rest(Pod pod) {
        var requests = PodNeeds.of(pod).requests();
        return amounts(resource -> resource.equals(Resources.PODS) ? 1 : requests.of(resource));
    }

    /** What the pod needs, and the nodes that would take it if they had room. */
    Need need(Pod pod) {
        var unbound =
                new PodBuilder(pod).editSpec().withNodeName(null).endSpec().build();
        var needs = PodNeeds.of(unbound);
        var modest = needs.withoutRequests(needs.requests().amounts().keySet());
        var others = rooms.stream().map(room -> room.without(needs.uid())).toList();
        var fit = Fit.of(modest, others, namespaceLabels);
        return new Need(ask(pod).slices(), rest(pod), NodeSet.of(others.size(), node -> fit.fits(others.get(node))));
    }
}
