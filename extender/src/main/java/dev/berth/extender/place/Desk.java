package dev.berth.extender.place;

import dev.berth.core.NodeName;
import dev.berth.core.share.SharePolicies;
import dev.berth.core.share.Workload;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.board.Board;
import dev.berth.extender.quota.Quotas;
import dev.berth.extender.wire.FilterReader;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.event.Events;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.Reconciler;
import io.fabric8.kubernetes.api.model.Pod;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where questions are decided and decisions are kept true: puts the parts of both together. */
public final class Desk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Desk.class);
    private static final Duration RECONCILE = Duration.ofSeconds(2);

    private final NodeLedgers ledgers;
    private final HeldGpus held;
    private final Reconciler reconciler;
    private final Workload.Memory memory;
    private final Thread sweeper;
    private final Predicates predicates;
    private final OtherVerbs verbs;

    private Desk(
            NodeLedgers ledgers,
            HeldGpus held,
            Reconciler reconciler,
            Workload.Memory memory,
            Predicates predicates,
            OtherVerbs verbs) {
        this.memory = memory;
        this.ledgers = ledgers;
        this.held = held;
        this.reconciler = reconciler;
        this.predicates = predicates;
        this.verbs = verbs;
        this.sweeper = Thread.ofVirtual().name("sweep").start(this::sweep);
    }

    /** To be opened before the caches start, so that nothing is missed. */
    public static Desk open(
            Cluster cluster,
            NodeLedgers ledgers,
            Board board,
            Pods pods,
            Quotas quotas,
            Events events,
            ExtenderSettings settings,
            Supplier<Optional<String>> notReady,
            PrometheusRegistry registry,
            InstantSource clock) {
        var memory = new Workload.Memory();
        var policy = SharePolicies.named(settings.policy(), memory::workload);
        var notes = new PodNotes(cluster);
        var held = new HeldGpus(cluster, pods, board, notes, settings.assumeTtl(), clock);
        var counted = new CountedGpus(ledgers, board, held, quotas::rules);
        ledgers.onChange((page, before, after) -> {
            if (CountedGpus.namespace(page).isEmpty()) {
                board.turned(page, before, after);
            }
        });
        var reconciler = Reconciler.start(ledgers, counted, clock, RECONCILE);
        pods.onChange(change -> {
            for (var node : held.heard(change)) {
                // A decision that shows is confirmed with others in the next pass: that has time, and costs a write a
                // node, not a pod.
                var page = new NodeName(node);
                var pod = String.valueOf(change.newest().getMetadata().getUid());
                if (board.gone(pod) || ledgers.ledger().of(page).of(pod).isEmpty()) {
                    reconciler.tell(page);
                }
            }
            if (change instanceof Change.Added<Pod>) {
                learn(memory, change.newest());
            }
        });
        var chooser = new Chooser(board, quotas::rules, policy);
        var placer = new Placer(board, chooser, ledgers, counted, notes, settings.assumeTtl(), clock);
        var labels = settings.quota().labels();
        var reader = new FilterReader(labels.model(), labels.pool());
        var predicates = new Predicates(
                reader,
                notReady,
                placer,
                board,
                new Figures(registry),
                new PodEvents(events, settings.policy()),
                settings.volcano(),
                settings.assumeTtl());
        var verbs = new OtherVerbs(cluster, reader, board, chooser, pods, ledgers, notReady, clock);
        return new Desk(ledgers, held, reconciler, memory, predicates, verbs);
    }

    private static void learn(Workload.Memory memory, Pod pod) {
        var seen = PodReader.read(pod);
        if (seen.needsGpu()) {
            seen.demand().slices().forEach(memory::saw);
        }
    }

    public Predicates predicates() {
        return predicates;
    }

    public OtherVerbs verbs() {
        return verbs;
    }

    /** What is usually asked for, as far as it was seen. */
    public Workload workload() {
        return memory.workload();
    }

    public boolean synced() {
        return ledgers.synced();
    }

    private void sweep() {
        try {
            while (true) {
                Thread.sleep(RECONCILE);
                try {
                    held.sweep();
                } catch (RuntimeException problem) {
                    LOG.warn("decisions that nobody followed could not be looked at", problem);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        sweeper.interrupt();
        reconciler.close();
        ledgers.close();
    }
}
