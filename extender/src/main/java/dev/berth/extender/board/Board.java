package dev.berth.extender.board;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.share.Fragments;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import dev.berth.extender.wire.Amount;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.Keys;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is left on every node, kept as things change: a question costs what it asks about, not what runs. Three sources
 * count together: the ledgers, what pods show, and what this process has chosen and not written yet.
 */
public final class Board {
    private static final int MOST_GONE = 50_000;

    private final GpuLabels labels;
    private final Map<String, Page> pages = new HashMap<>();
    /** The nodes on which a holder has anything, by any source. */
    private final Map<String, Set<String>> whereabouts = new HashMap<>();

    /** The nodes on which pods show anything, by namespace and holder. */
    private final Map<String, Map<String, String>> showing = new HashMap<>();

    private final Usage usage = new Usage();
    /** Pods that have ended: their uids never come back, so their lines in the ledger are void. */
    private final Set<String> gone = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_GONE;
        }
    });

    public Board(GpuLabels labels) {
        this.labels = labels;
    }

    /** A node as it is at the moment. */
    public record View(GpuNode gpus, String model, String pool) {}

    /** Runs a choice that nobody else's choice comes in between. */
    public synchronized <T> T alone(Supplier<T> choice) {
        return choice.get();
    }

    public synchronized Collection<String> nodes() {
        return pages.entrySet().stream()
                .filter(page -> page.getValue().known)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The node as it would be without what this holder has; empty if the cache does not know it. */
    public synchronized Optional<View> view(String node, String exceptHolder) {
        var page = pages.get(node);
        if (page == null || !page.known) {
            return Optional.empty();
        }
        return Optional.of(
                holds(node, exceptHolder)
                        ? new View(page.gpus(node, page.capacity, exceptHolder), page.model, page.pool)
                        : page.view(node));
    }

    /** The same for a node whose capacity the question itself tells. */
    public synchronized GpuNode gpus(String node, GpuCapacity capacity, String exceptHolder) {
        var page = pages.get(node);
        if (page == null) {
            return GpuNode.empty(new NodeName(node), capacity);
        }
        return capacity.equals(page.capacity) && !holds(node, exceptHolder)
                ? page.view(node).gpus()
                : page.gpus(node, capacity, exceptHolder);
    }

    /** What pods show on this node that a ledger may not know yet, without this holder's. */
    public synchronized List<Entry> shown(String node, String exceptHolder) {
        var page = pages.get(node);
        return page == null
                ? List.of()
                : page.shown.entrySet().stream()
                        .filter(each -> !each.getKey().equals(exceptHolder))
                        .flatMap(each -> each.getValue().stream())
                        .toList();
    }

    /** The node as it would be without these holdings; empty if the cache does not know it. */
    public synchronized Optional<GpuNode> without(String node, Predicate<Entry> dropped) {
        var page = pages.get(node);
        return page == null || !page.known ? Optional.empty() : Optional.of(page.without(node, dropped));
    }

    /** The nodes on which pods show anything. */
    public synchronized List<String> showing() {
        return pages.entrySet().stream()
                .filter(page -> !page.getValue().shown.isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What this pod showed on the node does not count any more. */
    public synchronized void forget(String node, String holder) {
        change(node, page -> hide(page, holder));
        locate(node, holder);
    }

    private void hide(Page page, String holder) {
        for (var entry : Objects.requireNonNullElse(page.shown.remove(holder), List.<Entry>of())) {
            var pods = showing.get(entry.holder().namespace());
            if (pods != null && pods.remove(holder) != null && pods.isEmpty()) {
                showing.remove(entry.holder().namespace());
            }
        }
    }

    /** What the pods of a namespace show, each with the model of the GPUs that it has parts of. */
    public synchronized List<Counted> counted(String namespace) {
        var counted = new ArrayList<Counted>();
        showing.getOrDefault(namespace, Map.of()).forEach((holder, node) -> {
            var page = pages.get(node);
            if (page != null && !page.model.isEmpty()) {
                counted.add(new Counted(page.model, page.shown.getOrDefault(holder, List.of())));
            }
        });
        return counted;
    }

    /** What one pod holds of GPUs of one model. */
    public record Counted(String model, List<Entry> entries) {}

    /** The model of the node's GPUs; empty if it is not known. */
    public synchronized String model(String node) {
        var page = pages.get(node);
        return page == null ? "" : page.model;
    }

    public synchronized OptionalInt devices(NodeName node) {
        var page = pages.get(node.value());
        return page == null || !page.known ? OptionalInt.empty() : OptionalInt.of(page.capacity.devices());
    }

    public synchronized Optional<GpuCapacity> capacity(String node) {
        var page = pages.get(node);
        return page == null || !page.known ? Optional.empty() : Optional.of(page.capacity);
    }

    /** The nodes on which this holder has anything. */
    public synchronized Set<String> whereabouts(String holder) {
        return Set.copyOf(whereabouts.getOrDefault(holder, Set.of()));
    }

    private boolean holds(String node, String holder) {
        var nodes = whereabouts.get(holder);
        return nodes != null && nodes.contains(node);
    }

    public synchronized boolean gone(String holder) {
        return gone.contains(holder);
    }

    public synchronized long used(String namespace, String model, Set<String> exceptHolders) {
        long used = usage.of(namespace, model);
        for (var holder : exceptHolders) {
            for (var node : whereabouts.getOrDefault(holder, Set.of())) {
                var page = pages.get(node);
                if (page != null && page.model.equals(model)) {
                    used -= page.coresOf(holder, namespace);
                }
            }
        }
        return Math.max(0, used);
    }

    public synchronized Map<String, Map<String, Long>> usage() {
        return usage.all();
    }

    /** Which part of the cores of each GPU model is held. */
    public synchronized Map<String, Double> allocated() {
        var all = new TreeMap<String, Double>();
        var held = new HashMap<String, Double>();
        pages.forEach((name, page) -> {
            if (page.known && page.capacity.devices() > 0) {
                double cores = page.capacity.devices() * (double) Slice.WHOLE;
                all.merge(page.model, cores, Double::sum);
                held.merge(page.model, cores - page.view(name).gpus().freeCores(), Double::sum);
            }
        });
        all.replaceAll((model, cores) -> held.getOrDefault(model, 0.0) / cores);
        return all;
    }

    /** Which part of the free cores of each GPU model the typical workload cannot be expected to use. */
    public synchronized Map<String, Double> fragmented(Workload typical) {
        var fragments = new Fragments(typical);
        var ratios = new TreeMap<String, Double>();
        var free = new HashMap<String, Double>();
        pages.forEach((name, page) -> {
            if (page.known && page.capacity.devices() > 0) {
                var node = page.view(name).gpus();
                free.merge(page.model, (double) node.freeCores(), Double::sum);
                ratios.merge(page.model, fragments.of(node), Double::sum);
            }
        });
        ratios.replaceAll((model, cores) -> cores / Math.max(1, free.getOrDefault(model, 0.0)));
        return ratios;
    }

    /** From here to {@link #settled} this counts as held. */
    public synchronized void intend(String node, String holder, List<Entry> entries) {
        change(node, page -> page.intended.put(holder, entries));
        whereabouts.computeIfAbsent(holder, _ -> new HashSet<>()).add(node);
    }

    public synchronized void settled(String node, String holder) {
        change(node, page -> page.intended.remove(holder));
        locate(node, holder);
    }

    public synchronized void heardNode(Change<Node> change) {
        var node = change.newest();
        var name = node.getMetadata().getName();
        if (change instanceof Change.Removed<Node>) {
            change(name, page -> page.known = false);
            return;
        }
        var marks = present(node.getMetadata().getLabels());
        Map<String, Quantity> capacity =
                node.getStatus() == null ? Map.of() : present(node.getStatus().getCapacity());
        change(name, page -> {
            page.known = true;
            page.capacity = new GpuCapacity(amount(capacity.get(Keys.CORES)), amount(capacity.get(Keys.MEMORY)));
            page.model = marks.getOrDefault(labels.model(), "");
            page.pool = marks.getOrDefault(labels.pool(), "");
        });
    }

    /** What a pod shows from now on: where, and what; nothing at all if it has ended. */
    public synchronized Set<String> showed(GpuPod pod, Optional<String> node, List<Entry> entries, boolean ended) {
        var changed = new HashSet<String>();
        if (ended) {
            gone.add(pod.id());
        }
        for (var before : whereabouts(pod.id())) {
            var page = pages.get(before);
            boolean stays = node.filter(before::equals).isPresent() && !entries.isEmpty();
            if (page != null && (ended || (!stays && page.shown.containsKey(pod.id())))) {
                change(before, each -> hide(each, pod.id()));
                locate(before, pod.id());
                changed.add(before);
            }
        }
        if (!ended && node.isPresent() && !entries.isEmpty()) {
            var page = pages.get(node.get());
            if (page == null || !entries.equals(page.shown.get(pod.id()))) {
                change(node.get(), each -> each.shown.put(pod.id(), entries));
                showing.computeIfAbsent(pod.namespace(), _ -> new HashMap<>()).put(pod.id(), node.get());
                whereabouts.computeIfAbsent(pod.id(), _ -> new HashSet<>()).add(node.get());
                changed.add(node.get());
            }
        }
        return changed;
    }

    /** A page of the ledger became another. */
    public synchronized void turned(NodeName node, Holdings before, Holdings after) {
        change(node.value(), page -> page.ledger = after);
        before.entries().forEach(entry -> locate(node.value(), entry.holder().id()));
        after.entries()
                .forEach(entry -> whereabouts
                        .computeIfAbsent(entry.holder().id(), _ -> new HashSet<>())
                        .add(node.value()));
    }

    private void locate(String node, String holder) {
        var page = pages.get(node);
        if (page == null || !page.holds(holder)) {
            var nodes = whereabouts.get(holder);
            if (nodes != null && nodes.remove(node) && nodes.isEmpty()) {
                whereabouts.remove(holder);
            }
        }
    }

    private void change(String node, Consumer<Page> change) {
        var page = pages.computeIfAbsent(node, _ -> new Page());
        usage.less(page.model, page.cores());
        change.accept(page);
        page.renew(gone);
        if (page.empty()) {
            pages.remove(node);
        } else {
            usage.more(page.model, page.cores());
        }
    }

    private static long amount(@Nullable Quantity quantity) {
        try {
            return quantity == null ? 0 : Amount.of(quantity.toString());
        } catch (IllegalArgumentException unreadable) {
            return 0;
        }
    }

    private static <V> Map<String, V> present(@Nullable Map<String, V> map) {
        return Objects.requireNonNullElse(map, Map.of());
    }
}
