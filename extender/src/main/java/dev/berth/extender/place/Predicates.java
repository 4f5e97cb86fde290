package dev.berth.extender.place;

import dev.berth.extender.board.Board;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.FilterReader;
import dev.berth.extender.wire.FilterReply;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.Names;
import dev.berth.extender.wire.VolcanoReply;
import dev.berth.extender.wire.VolcanoRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The way of a question from its bytes to the bytes of its answer, for both schedulers. */
public final class Predicates {
    /** kube-scheduler gives up after five seconds, Volcano after one. */
    private static final Duration KUBE_SCHEDULER = Duration.ofMillis(4_500);

    private static final Duration VOLCANO = Duration.ofMillis(850);
    private static final String LATE = "the API server did not answer in time, nothing is decided; ask again";

    private final FilterReader reader;
    private final Supplier<Optional<String>> notReady;
    private final Placer placer;
    private final Board board;
    private final Figures figures;
    private final PodEvents events;
    private final VolcanoReply volcano;
    private final Duration life;
    private final InTime inTime = new InTime();
    private final VolcanoRounds rounds = new VolcanoRounds();

    Predicates(
            FilterReader reader,
            Supplier<Optional<String>> notReady,
            Placer placer,
            Board board,
            Figures figures,
            PodEvents events,
            VolcanoReply volcano,
            Duration life) {
        this.reader = reader;
        this.notReady = notReady;
        this.placer = placer;
        this.board = board;
        this.figures = figures;
        this.events = events;
        this.volcano = volcano;
        this.life = life;
    }

    /** kube-scheduler: these nodes, which one. */
    public byte[] filter(byte[] body) {
        try {
            var request = reader.read(body);
            if (!request.pod().needsGpu()) {
                return FilterReply.all(request);
            }
            Names.require(request.pod());
            if (request.nodes().isEmpty() && request.names().isEmpty()) {
                return FilterReply.error("the request has neither Nodes nor NodeNames");
            }
            return switch (decide(request.pod(), request.candidates(), KUBE_SCHEDULER)) {
                case Outcome.Chosen(var node, var _, var others) ->
                    FilterReply.chosen(request, Optional.of(node), others);
                case Outcome.Refused(var nodes) -> FilterReply.chosen(request, Optional.empty(), nodes);
                case Outcome.Undecided(var why) -> FilterReply.error(why);
            };
        } catch (MalformedRequestException malformed) {
            return FilterReply.error(malformed.problem());
        }
    }

    /** Volcano: this node, yes or no. The first question decides over all nodes, the others hear of it. */
    public byte[] volcano(byte[] body) {
        try {
            var request = VolcanoRequest.read(body);
            if (!request.pod().needsGpu()) {
                return volcano.fit();
            }
            Names.require(request.pod());
            long deadline = System.nanoTime() + VOLCANO.toNanos();
            var decision = rounds.ask(
                    request.pod().id(), request.node(), only -> decide(request.pod(), candidates(only), VOLCANO));
            return InTime.await(decision, Duration.ofNanos(deadline - System.nanoTime()))
                    .map(outcome -> answer(request, outcome))
                    .orElseGet(() -> volcano.error(LATE));
        } catch (MalformedRequestException malformed) {
            return volcano.error(malformed.problem());
        }
    }

    private List<Candidate> candidates(List<String> only) {
        return (only.isEmpty() ? board.nodes() : only)
                .stream().map(Candidate::named).toList();
    }

    private byte[] answer(VolcanoRequest request, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Chosen(var node, var _, var _) ->
                node.name().equals(request.node()) ? volcano.fit() : volcano.unfit(Reasons.elsewhere(request.pod()));
            case Outcome.Refused(var nodes) ->
                volcano.unfit(nodes.stream()
                        .filter(failed -> failed.node().equals(request.node()))
                        .map(FilterReply.Failed::reason)
                        .findFirst()
                        .orElse(Reasons.NO_GPU));
            case Outcome.Undecided(var why) -> volcano.error(why);
        };
    }

    private Outcome decide(GpuPod pod, List<Candidate> candidates, Duration patience) {
        var outcome = figures.counted(() -> {
            var waiting = notReady.get();
            if (waiting.isPresent()) {
                return new Outcome.Undecided(waiting.get());
            }
            // A decision must not be written after the time at which the ledger lets go of it.
            var within = life.compareTo(patience) < 0 ? life : patience;
            return inTime.run(pod.id(), within, () -> placer.place(pod, candidates, within))
                    .orElseGet(() -> new Outcome.Undecided(LATE));
        });
        events.tell(pod, outcome);
        return outcome;
    }
}
