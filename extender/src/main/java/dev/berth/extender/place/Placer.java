package dev.berth.extender.place;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.SharePlacement;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuEntries;
import dev.berth.extender.wire.Assignment;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.FilterReply.Failed;
import dev.berth.extender.wire.GpuPod;
import dev.berth.kube.ledger.Decision;
import dev.berth.kube.ledger.LedgerOutcome;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a pod its node and devices and writes them down: chooses, writes the namespace's page if it has a quota, the
 * node's ledger, and the pod's annotations. What turns out to be full is left out and the next best is taken.
 */
final class Placer {
    private static final Logger LOG = LoggerFactory.getLogger(Placer.class);
    private static final Duration GIVE_BACK = Duration.ofSeconds(20);

    private final Board board;
    private final Chooser chooser;
    private final NodeLedgers ledgers;
    private final CountedGpus counted;
    private final PodNotes notes;
    private final Duration life;
    private final InstantSource clock;

    Placer(
            Board board,
            Chooser chooser,
            NodeLedgers ledgers,
            CountedGpus counted,
            PodNotes notes,
            Duration life,
            InstantSource clock) {
        this.board = board;
        this.chooser = chooser;
        this.ledgers = ledgers;
        this.counted = counted;
        this.notes = notes;
        this.life = life;
        this.clock = clock;
    }

    /** One question about a pod at a time; two about the same pod would take back each other's decisions. */
    Outcome place(GpuPod asked, List<Candidate> candidates, Duration within) {
        var attempt = new Attempt(asked, candidates, System.nanoTime() + within.toNanos());
        try {
            return attempt.run();
        } catch (KubernetesClientException problem) {
            return new Outcome.Undecided("the API server did not answer: " + Failure.words(problem));
        }
    }

    /** The walk of one question. */
    private final class Attempt {
        private final List<Candidate> candidates;
        private final long deadline;
        private final Chooser.RuledOut ruledOut = new Chooser.RuledOut(new HashMap<>(), new HashMap<>());
        /** What earlier decisions hold for this pod, by page, line by line: no other line may go with them. */
        private final Map<String, List<Entry>> before = new HashMap<>();

        private final String quota;
        private GpuPod pod;
        /** What this question has put down in the namespace's page. */
        private Optional<Entry.State> charged = Optional.empty();

        Attempt(GpuPod pod, List<Candidate> candidates, long deadline) {
            this.pod = pod;
            this.candidates = candidates;
            this.deadline = deadline;
            for (var node : board.whereabouts(pod.id())) {
                before.put(node, ledgers.ledger().of(new NodeName(node)).of(pod.id()));
            }
            this.quota = CountedGpus.page(pod.namespace()).value();
            var lines = ledgers.ledger().of(new NodeName(quota)).of(pod.id());
            if (!lines.isEmpty()) {
                before.put(quota, lines);
            }
        }

        Outcome run() {
            Outcome outcome = new Outcome.Undecided("");
            try {
                outcome = decided();
                return outcome;
            } finally {
                if (!(outcome instanceof Outcome.Chosen)) {
                    charged.ifPresent(written -> giveBack(quota, written));
                }
            }
        }

        private Outcome decided() {
            if (pod.bound()) {
                return predicated();
            }
            if (pod.marked() || !before.isEmpty()) {
                // Decided before, and asked about again: is it bound by now, or was the decision not followed?
                var newest = notes.read(pod, left());
                if (newest.isEmpty()) {
                    return gone();
                }
                pod = newest.get();
                if (pod.bound()) {
                    return predicated();
                }
            }
            while (left().isPositive()) {
                var made = clock.instant().truncatedTo(ChronoUnit.MICROS);
                var choice = chooser.choose(pod, candidates, ruledOut, state(made));
                if (choice.node().isEmpty()) {
                    forget();
                    return new Outcome.Refused(choice.others());
                }
                var outcome = take(choice.node().get(), choice, made);
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
            return new Outcome.Undecided("no answer in time");
        }

        /** The outcome, or nothing if another node must be found. */
        private Optional<Outcome> take(Candidate node, Chooser.Choice choice, Instant made) {
            LedgerOutcome<Optional<SharePlacement>> outcome;
            try {
                charged = counted.limits(pod.namespace()) ? Optional.of(state(made)) : charged;
                switch (counted.take(pod, choice.model(), state(made), left())) {
                    case LedgerOutcome.Settled<Optional<String>>(var over)
                    when over.isPresent() -> {
                        ruledOut.models().put(choice.model(), over.get());
                        return Optional.empty();
                    }
                    case LedgerOutcome.Settled<Optional<String>> _ -> {}
                    case LedgerOutcome.NotWritten<Optional<String>>(var why) -> {
                        return undecided(quota, why);
                    }
                    case LedgerOutcome.Unknown<Optional<String>>(var why) -> {
                        return undecided(quota, why);
                    }
                }
                outcome = ledgers.decide(new NodeName(node.name()), decision(node, choice.capacity(), made), left());
            } finally {
                board.settled(node.name(), pod.id());
            }
            return switch (outcome) {
                case LedgerOutcome.Settled<Optional<SharePlacement>>(var placement) ->
                    placement.isPresent() ? write(node, placement.get(), choice.others(), made) : full(node);
                case LedgerOutcome.NotWritten<Optional<SharePlacement>>(var why) -> undecided(node.name(), why);
                case LedgerOutcome.Unknown<Optional<SharePlacement>>(var why) -> {
                    giveBack(node.name(), state(made));
                    yield undecided(node.name(), why);
                }
            };
        }

        private Decision<Optional<SharePlacement>> decision(Candidate node, GpuCapacity capacity, Instant made) {
            var shown = board.shown(node.name(), pod.id());
            var state = state(made);
            return holdings -> {
                var others = holdings.without(
                        entry -> ours(entry) || board.gone(entry.holder().id()));
                var all = others;
                for (var entry : shown) {
                    if (!all.holds(entry)) {
                        all = all.recording(entry);
                    }
                }
                var gpus = GpuEntries.node(
                        new NodeName(node.name()), capacity, all.entries().toList());
                var placement = chooser.place(gpus, pod.demand());
                if (placement.isEmpty()) {
                    return new Decision.Decided<>(holdings, placement);
                }
                Holdings after = others;
                for (var entry : GpuEntries.of(pod, placement.get().held(), state)) {
                    after = after.recording(entry);
                }
                return new Decision.Decided<>(after, placement);
            };
        }

        private boolean ours(Entry entry) {
            return entry.holder().door() == Door.EXTENDER && entry.holder().id().equals(pod.id());
        }

        private Optional<Outcome> full(Candidate node) {
            ruledOut.nodes().put(node.name(), Reasons.noMatch(pod));
            return Optional.empty();
        }

        private Optional<Outcome> undecided(String page, String why) {
            return Optional.of(new Outcome.Undecided("the ledger of %s was not written: %s".formatted(page, why)));
        }

        /** Writes the annotations; on a pod that changed meanwhile again, unless it is bound or gone. */
        private Optional<Outcome> write(Candidate node, SharePlacement placement, List<Failed> others, Instant made) {
            boolean kept = false;
            try {
                while (left().isPositive()) {
                    switch (notes.write(pod, Assignment.annotations(pod, node.name(), placement, made), left())) {
                        case PodNotes.Written.Done _ -> {
                            kept = true;
                            before.forEach((other, lines) -> {
                                if (!other.equals(node.name()) && !other.equals(quota)) {
                                    giveBack(other, lines);
                                }
                            });
                            return Optional.of(new Outcome.Chosen(node, placement, others));
                        }
                        case PodNotes.Written.Changed _ -> {
                            var newest = notes.read(pod, left());
                            if (newest.isEmpty()) {
                                return Optional.of(gone());
                            }
                            pod = newest.get();
                            if (pod.bound()) {
                                return Optional.of(predicated());
                            }
                        }
                        case PodNotes.Written.Gone _ -> {
                            return Optional.of(gone());
                        }
                        case PodNotes.Written.Refused(var reason) -> {
                            LOG.error("annotations are refused: pod={} node={} reason={}", pod, node.name(), reason);
                            return Optional.of(new Outcome.Refused(candidates.stream()
                                    .map(each -> new Failed(each, Reasons.NOT_WRITTEN, false))
                                    .toList()));
                        }
                    }
                }
                return Optional.of(new Outcome.Undecided("no answer in time"));
            } finally {
                if (!kept) {
                    giveBack(node.name(), state(made));
                }
            }
        }

        private Outcome predicated() {
            return new Outcome.Undecided(Reasons.predicated(pod));
        }

        private Outcome gone() {
            before.forEach(this::giveBack);
            return new Outcome.Undecided("pod %s is gone".formatted(pod));
        }

        /** Nothing fits any more: what an earlier decision left behind goes. */
        private void forget() {
            before.forEach(this::giveBack);
            if (pod.marked() && !notes.clear(pod, left())) {
                LOG.info("pod changed while its old decision was taken off: pod={}", pod);
            }
        }

        private Entry.State state(Instant made) {
            return new Entry.State.Assumed(made.plus(life));
        }

        private void giveBack(String node, Entry.State written) {
            giveBack(node, entry -> ours(entry) && entry.state().equals(written));
        }

        private void giveBack(String node, List<Entry> lines) {
            giveBack(node, entry -> entry.assumed() && lines.contains(entry));
        }

        /** Never in the way of the answer: what cannot be given back now expires. */
        private void giveBack(String node, Predicate<Entry> lines) {
            Thread.ofVirtual().name("give-back-" + node).start(() -> {
                try {
                    var outcome = ledgers.decide(
                            new NodeName(node),
                            holdings -> new Decision.Decided<>(holdings.without(lines), true),
                            GIVE_BACK);
                    if (!(outcome instanceof LedgerOutcome.Settled<Boolean>)) {
                        LOG.warn("decision could not be taken back, it expires: pod={} node={}", pod, node);
                    }
                } catch (IllegalStateException closed) {
                    LOG.debug("decision is not taken back, it expires: pod={} node={}", pod, node, closed);
                }
            });
        }

        private Duration left() {
            return Duration.ofNanos(deadline - System.nanoTime());
        }
    }
}
