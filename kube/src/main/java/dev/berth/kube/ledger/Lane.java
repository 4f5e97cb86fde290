package dev.berth.kube.ledger;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Retry;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions of this process about one node, one write at a time. Those that come while a write is on its way wait
 * for the next, and go into it together.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_TOGETHER = 512;

    private final NodeName node;
    private final LedgerStore store;
    private final LedgerView view;
    private final Retry retry;
    private final Turns turns;
    private final Deque<Pending<?>> waiting = new ArrayDeque<>();
    private boolean working;

    /** @param turns all nodes' lanes share them */
    Lane(NodeName node, LedgerStore store, LedgerView view, Retry retry, Turns turns) {
        this.node = node;
        this.store = store;
        this.view = view;
        this.retry = retry;
        this.turns = turns;
    }

    <T> LedgerOutcome<T> decide(Decision<T> decision, Duration within) {
        var pending = new Pending<>(decision, System.nanoTime() + within.toNanos());
        return enter(pending)
                ? pending.await()
                : new LedgerOutcome.NotWritten<>("%d decisions wait for node %s".formatted(MOST_WAITING, node));
    }

    private synchronized boolean enter(Pending<?> pending) {
        if (waiting.size() >= MOST_WAITING) {
            return false;
        }
        waiting.add(pending);
        turns.entered();
        if (working) {
            notifyAll();
        } else {
            working = true;
            Thread.ofVirtual().name("ledger-" + node).start(this::work);
        }
        return true;
    }

    private void work() {
        do {
            gather();
            // Whoever comes until it is this node's turn is written with the others.
            turns.take();
            try {
                write(next());
            } finally {
                turns.giveBack();
            }
        } while (more());
    }

    /** In a crowd others are about to come, and what they take costs nothing more in the same write. */
    private synchronized void gather() {
        int room = store.free(node, view.newest(node));
        long end = System.nanoTime() + turns.longest().toNanos();
        try {
            for (int met = 0; met < waiting.size() && waiting.size() < room && turns.crowded(); ) {
                met = waiting.size();
                long left = Math.min(turns.pause().toNanos(), end - System.nanoTime());
                if (left <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Pending<?>> batch) {
        int many = batch.size();
        try {
            commit(batch);
        } catch (RuntimeException | Error problem) {
            // An Error, too, is theirs who wait: without a word they would wait, and the lane with them, for ever.
            LOG.error("ledger could not be written: node={}", node, problem);
            batch.forEach(pending -> pending.fail(problem));
        } finally {
            turns.left(many);
        }
    }

    private synchronized boolean more() {
        working = !waiting.isEmpty();
        return working;
    }

    private synchronized List<Pending<?>> next() {
        var batch = new ArrayList<Pending<?>>();
        while (batch.size() < MOST_TOGETHER && !waiting.isEmpty()) {
            var pending = waiting.remove();
            if (pending.begin()) {
                batch.add(pending);
            } else {
                turns.left(1);
            }
        }
        return batch;
    }

    private void commit(List<Pending<?>> batch) {
        var known = view.newest(node);
        var unanswered = new HashMap<Pending<?>, List<Entry>>();
        for (int failures = 0; ; ) {
            batch.removeIf(Pending::over);
            if (batch.isEmpty()) {
                return;
            }
            // Whoever has gone takes back himself what he may have; meanwhile it may have become another decision's.
            unanswered.keySet().retainAll(batch);
            try {
                if (attempt(batch, known, unanswered)) {
                    return;
                }
            } catch (KubernetesClientException problem) {
                var failure = Failure.of(problem);
                switch (failure) {
                    case REFUSED -> {
                        var words = Failure.words(problem);
                        LOG.error("ledger is refused by the server: node={} reason={}", node, words);
                        batch.forEach(pending -> pending.refuse(words));
                        return;
                    }
                    case ABSENT, CONFLICT, TURNED_AWAY, UNREACHABLE, UNKNOWN -> {
                        failures++;
                        var words = Failure.words(problem);
                        LOG.debug("ledger is read again: node={} attempt={} reason={}", node, failures, words);
                        batch.forEach(pending -> pending.remember(words));
                        // The first conflict only means that somebody else wrote: reading again at once is all it
                        // takes.
                        if ((failures > 1 || failure != Failure.CONFLICT) && !rest(failures)) {
                            return;
                        }
                    }
                }
            }
            known = Optional.empty();
        }
    }

    /** A pause, in which another node may have the turn. */
    private boolean rest(int failures) {
        turns.giveBack();
        try {
            return retry.pause(failures);
        } finally {
            turns.take();
        }
    }

    /** Whether the batch is settled; if not, it must run again on what is read afresh. */
    private boolean attempt(
            List<Pending<?>> batch, Optional<LedgerPage> known, Map<Pending<?>, List<Entry>> unanswered) {
        var base = known.orElseGet(() -> store.read(node));
        // An earlier write of ours may have arrived without our hearing of it: decide as if it had not, then compare.
        var before = base.holdings()
                .without(entry ->
                        unanswered.values().stream().flatMap(List::stream).anyMatch(entry::sameHolding));
        var steps = new ArrayList<Step>();
        var after = before;
        for (var pending : batch) {
            var so = after;
            after = pending.run(so, store::fits);
            steps.add(new Step(pending, so, after));
        }
        if (after.equals(base.holdings())) {
            if (known.isPresent()) {
                // A refusal must rest on more than what we remember.
                return false;
            }
            view.learn(node, base);
        } else {
            var page = write(base, after, steps, unanswered);
            report(base.holdings(), page.holdings());
            view.learn(node, page);
        }
        batch.forEach(Pending::settle);
        return true;
    }

    private LedgerPage write(
            LedgerPage base, Holdings after, List<Step> steps, Map<Pending<?>, List<Entry>> unanswered) {
        try {
            return store.write(node, base, after);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) == Failure.UNKNOWN) {
                for (var step : steps) {
                    unanswered.merge(
                            step.decision(),
                            step.added(),
                            (earlier, now) -> Stream.concat(earlier.stream(), now.stream())
                                    .toList());
                }
            }
            throw problem;
        }
    }

    /** What one decision of a batch made of the holdings. */
    private record Step(Pending<?> decision, Holdings before, Holdings after) {
        List<Entry> added() {
            return after.entries().filter(entry -> !before.holds(entry)).toList();
        }
    }

    private void report(Holdings before, Holdings after) {
        for (var device : LedgerText.newlyContested(before, after)) {
            var holders = after.of(device).stream().map(Entry::holder).toList();
            LOG.warn("device is held by more than can: node={} device={} holders={}", node, device, holders);
        }
    }
}
