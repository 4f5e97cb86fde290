package dev.berth.extender.place;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Objection;
import dev.berth.core.policy.Pack;
import dev.berth.core.share.SharePolicies;
import dev.berth.core.share.SharePolicy;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuEntries;
import dev.berth.extender.quota.QuotaRules;
import dev.berth.extender.quota.QuotaSettings;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.Keys;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.explain.Advocate;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.fit.Fit;
import dev.berth.kube.fit.NodeObjections;
import dev.berth.kube.fit.NodeRoom;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Says which node and GPUs the extender would give a pod, after the checks that kube-scheduler makes before it asks.
 */
public final class ExtenderAdvocate implements Advocate {
    private static final Set<String> COUNTED = Set.of(Keys.CORES, Keys.MEMORY);

    private final Lookout lookout;
    private final QuotaSettings quota;
    private final SharePolicy policy;
    private final Cache<ConfigMap> rules;
    /** What nodes have; who holds it is another question each time. */
    private final Board capacities;

    public ExtenderAdvocate(Lookout lookout, ExtenderSettings settings) {
        this.lookout = lookout;
        this.quota = settings.quota();
        this.policy = SharePolicies.named(settings.policy(), () -> Workload.UNKNOWN);
        this.rules = Cache.of(
                lookout.cluster(),
                Listing.of(ConfigMap.class).in(quota.namespace()).named(quota.name()));
        this.capacities = new Board(quota.labels());
        lookout.nodes().onChange(capacities::heardNode);
        rules.onChange(_ -> lookout.changed());
    }

    @Override
    public Door door() {
        return Door.EXTENDER;
    }

    @Override
    public void start() {
        rules.start();
    }

    @Override
    public boolean synced() {
        return rules.synced();
    }

    /** What namespaces may use; none where it makes no sense, which the extender itself complains about. */
    public QuotaRules rules() {
        return rules.find(quota.namespace(), quota.name())
                .map(map -> Objects.requireNonNullElse(map.getData(), Map.<String, String>of())
                        .get(QuotaSettings.KEY))
                .flatMap(ExtenderAdvocate::parsed)
                .orElse(QuotaRules.NONE);
    }

    private static Optional<QuotaRules> parsed(String text) {
        try {
            return Optional.of(QuotaRules.parse(text));
        } catch (IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }

    @Override
    public List<Device> devices(NodeName node) {
        var capacity = capacities.capacity(node.value());
        if (capacity.isEmpty()) {
            return List.of();
        }
        var model = capacities.model(node.value());
        Map<String, Attribute> attributes = model.isEmpty() ? Map.of() : Map.of("model", new Attribute.Text(model));
        var amounts = Map.of(
                Pack.CORES, Capacity.of(Quantity.of(Slice.WHOLE)),
                Pack.MEMORY, Capacity.of(Quantity.of(capacity.get().deviceMemory())));
        return IntStream.range(0, capacity.get().devices())
                .mapToObj(index -> new Device(DeviceId.ofIndex(index), node)
                        .withIndex(index)
                        .inParts()
                        .withAttributes(attributes)
                        .withCapacities(amounts))
                .toList();
    }

    @Override
    public Collection<Entry> shown(NodeName node) {
        return lookout.pods().on(node).stream()
                .filter(pod -> !Sighting.finished(pod))
                .flatMap(pod -> read(pod).stream())
                .filter(GpuPod::needsGpu)
                .flatMap(pod -> GpuEntries.of(pod, Entry.State.CONFIRMED).stream())
                .toList();
    }

    @Override
    public boolean counts(NodeName page) {
        return CountedGpus.namespace(page).isPresent();
    }

    private static Optional<GpuPod> read(Pod pod) {
        try {
            return Optional.of(PodReader.read(pod));
        } catch (MalformedRequestException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public boolean takes(Pod pod) {
        try {
            return PodReader.read(pod).needsGpu();
        } catch (MalformedRequestException unreadable) {
            // It means to, and is told what is wrong with it.
            return true;
        }
    }

    @Override
    public String asks(Pod pod) {
        return read(pod).map(Reasons::wanted).orElse("parts of GPUs");
    }

    @Override
    public Answer answer(Pod pod, Ledger ledger) {
        return answer(pod, ledger, lookout.rooms().all());
    }

    @Override
    public Answer answerOn(NodeName node, Pod pod, Ledger ledger) {
        return answer(pod, ledger, lookout.rooms().find(node).map(List::of).orElse(List.of()));
    }

    private Answer answer(Pod asked, Ledger ledger, Collection<NodeRoom> rooms) {
        GpuPod pod;
        PodNeeds needs;
        try {
            pod = PodReader.read(asked);
            needs = PodNeeds.of(asked).withoutRequests(COUNTED);
        } catch (MalformedRequestException malformed) {
            return new Answer.Unusable(malformed.problem());
        } catch (IllegalArgumentException malformed) {
            return new Answer.Unusable(String.valueOf(malformed.getMessage()));
        }
        Map<NodeName, Objection> objections = new HashMap<>();
        var candidates = new ArrayList<Candidate>();
        var fit = Fit.of(needs, lookout.rooms().all(), lookout::namespaceLabels);
        for (var room : rooms) {
            var against = fit.against(room);
            if (against.isEmpty()) {
                candidates.add(Candidate.named(room.name().value()));
            } else {
                objections.put(room.name(), NodeObjections.of(room.name(), against));
            }
        }
        var board = board(ledger);
        var choice = new Chooser(board, this::rules, policy)
                .choose(pod, candidates, new Chooser.RuledOut(Map.of(), Map.of()), Entry.State.CONFIRMED);
        var node = choice.node().map(Candidate::name);
        // The choice counts as held on this board from now on, and the shortage is to be told without it.
        node.ifPresent(name -> board.settled(name, pod.id()));
        var shortage = new Shortage(pod, board, rules(), ledger);
        for (var other : choice.others()) {
            var name = new NodeName(other.node());
            objections.put(
                    name,
                    other.reason().equals(Reasons.elsewhere(pod))
                            ? Objection.another(node.orElse(""))
                            : shortage.on(name, other.reason()));
        }
        if (node.isEmpty()) {
            return new Answer.Waits(objections);
        }
        var devices = board.view(node.get(), pod.id())
                .flatMap(view -> new Chooser(board, this::rules, policy).place(view.gpus(), pod.demand()))
                .map(placement ->
                        placement.held().keySet().stream().map(String::valueOf).toList())
                .orElse(List.of());
        return new Answer.Fits(new NodeName(node.get()), devices, "best by the policy " + policy.name(), objections);
    }

    private Board board(Ledger ledger) {
        var board = new Board(quota.labels());
        lookout.nodes().all().forEach(node -> board.heardNode(new Change.Added<>(node)));
        ledger.byNode().forEach((page, holdings) -> board.turned(page, Holdings.EMPTY, holdings));
        return board;
    }

    @Override
    public List<QuotaLine> quotas(Ledger ledger) {
        var usage = board(ledger).usage();
        var limits = rules();
        var namespaces = new TreeSet<>(usage.keySet());
        namespaces.addAll(limits.byNamespace().keySet());
        var lines = new ArrayList<QuotaLine>();
        for (var namespace : namespaces) {
            Map<String, Long> used = usage.getOrDefault(namespace, Map.of());
            var rule = limits.of(namespace);
            var models = new TreeSet<>(used.keySet());
            rule.ifPresent(each -> models.addAll(each.gpus().keySet()));
            for (var model : models) {
                var limit = rule.map(each -> OptionalLong.of(each.limit(model))).orElse(OptionalLong.empty());
                lines.add(new QuotaLine(namespace, model, used.getOrDefault(model, 0L), limit));
            }
        }
        return lines;
    }

    @Override
    public void close() {
        rules.close();
    }
}
