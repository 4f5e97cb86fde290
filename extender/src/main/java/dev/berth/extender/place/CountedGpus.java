package dev.berth.extender.place;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.policy.Pack;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuEntries;
import dev.berth.extender.quota.QuotaRules;
import dev.berth.extender.wire.GpuPod;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What namespaces with a quota hold of each GPU model: one page of the ledger a namespace, on which a decision is
 * written before the node's. So no two replicas give out the last part of a quota, however late they hear of each
 * other. It is kept true to the pods in the same way as the pages of nodes.
 */
final class CountedGpus implements Evidence {
    /** As pools on the network have pages of their own, {@code pool.<name>}. */
    private static final String PREFIX = "quota.";

    private final NodeLedgers ledgers;
    private final Board board;
    private final HeldGpus held;
    private final Supplier<QuotaRules> rules;

    CountedGpus(NodeLedgers ledgers, Board board, HeldGpus held, Supplier<QuotaRules> rules) {
        this.ledgers = ledgers;
        this.board = board;
        this.held = held;
        this.rules = rules;
    }

    static NodeName page(String namespace) {
        return new NodeName(PREFIX + namespace);
    }

    /** Whose page this is; empty for a node's. */
    static Optional<String> namespace(NodeName page) {
        return page.value().startsWith(PREFIX)
                ? Optional.of(page.value().substring(PREFIX.length()))
                : Optional.empty();
    }

    boolean limits(String namespace) {
        return rules.get().of(namespace).isPresent();
    }

    /** Counts the pod from now on, or says what stands against it. Without a quota nothing is written. */
    LedgerOutcome<Optional<String>> take(GpuPod pod, String model, Entry.State state, Duration within) {
        var rule = rules.get().of(pod.namespace());
        if (rule.isEmpty()) {
            return new LedgerOutcome.Settled<>(Optional.empty());
        }
        long limit = rule.get().limit(model);
        long wanted = pod.demand().cores();
        var shown = shown(pod.namespace());
        var entry = new Entry(new DeviceId(model), GpuEntries.holder(pod), cores(wanted), state);
        return ledgers.decide(
                page(pod.namespace()),
                holdings -> {
                    var others = holdings.without(each -> same(each, pod.id()) || board.gone(holder(each)));
                    var known = new HashSet<String>();
                    others.entries().forEach(each -> known.add(holder(each)));
                    known.add(pod.id());
                    long used = sum(others.of(entry.device()));
                    used += sum(shown.stream()
                            .filter(each -> each.device().equals(entry.device()) && !known.contains(holder(each)))
                            .toList());
                    return used + wanted > limit
                            ? new Decision.Decided<>(holdings, Optional.of(Reasons.overQuota(model, used, limit)))
                            : new Decision.Decided<>(others.recording(entry), Optional.empty());
                },
                within);
    }

    private static boolean same(Entry entry, String holder) {
        return holder(entry).equals(holder);
    }

    private static String holder(Entry entry) {
        return entry.holder().id();
    }

    private static long sum(List<Entry> entries) {
        return entries.stream().mapToLong(GpuEntries::cores).sum();
    }

    private static Share cores(long cores) {
        return new Share.Part(Map.of(Pack.CORES, Quantity.of(cores)));
    }

    /** What the pods of the namespace show, a line for each. */
    private List<Entry> shown(String namespace) {
        var lines = new ArrayList<Entry>();
        for (var counted : board.counted(namespace)) {
            var first = counted.entries().getFirst();
            lines.add(new Entry(
                    new DeviceId(counted.model()), first.holder(), cores(sum(counted.entries())), first.state()));
        }
        return lines;
    }

    @Override
    public Door door() {
        return held.door();
    }

    @Override
    public boolean synced() {
        return held.synced();
    }

    @Override
    public Collection<NodeName> nodes() {
        var pages = new ArrayList<>(held.nodes());
        rules.get().byNamespace().keySet().forEach(namespace -> pages.add(page(namespace)));
        return pages;
    }

    @Override
    public Collection<Entry> shown(NodeName page) {
        return namespace(page)
                .map(namespace -> limits(namespace) ? shown(namespace) : List.<Entry>of())
                .<Collection<Entry>>map(lines -> lines)
                .orElseGet(() -> held.shown(page));
    }

    @Override
    public boolean ended(Entry entry) {
        return board.gone(holder(entry));
    }

    @Override
    public Look look(NodeName page, Entry entry) {
        var namespace = namespace(page);
        if (namespace.isEmpty()) {
            return held.look(page, entry);
        }
        return limits(namespace.get()) ? held.lookAtCounted(entry) : Look.GONE;
    }
}
