package dev.berth.cli.defrag;

import dev.berth.core.NodeName;
import dev.berth.core.move.Move;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.pod.EvictionOutcome;
import dev.berth.kube.pod.Evictions;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes the moves of a plan, one at a time: evicts a pod, waits until it is gone and the one that comes in its place
 * has a node. Who schedules it decides where; when that is not what the plan wanted, the plan is void.
 */
final class MoveMaker {
    private final Lookout lookout;
    private final boolean cordons;
    private final Duration patience;
    private final Consumer<Made> told;
    private final List<Made> made = new ArrayList<>();

    /**
     * @param cordons whether a node takes no pods while one is moved away from it
     * @param patience how long one move may take
     */
    MoveMaker(Lookout lookout, boolean cordons, Duration patience, Consumer<Made> told) {
        this.lookout = lookout;
        this.cordons = cordons;
        this.patience = patience;
        this.told = told;
    }

    /** What went wrong; empty if all moves were made. */
    Optional<String> make(Proposal proposal, Situation situation) {
        for (var move : proposal.moves()) {
            boolean away = move.from().node() != move.to().node();
            var home = proposal.layout().sites().get(move.from().node()).name();
            var problem = cordons && away
                    ? cordoned(home, () -> make(move, proposal, situation))
                    : make(move, proposal, situation);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    List<Made> made() {
        return List.copyOf(made);
    }

    private Optional<String> make(Move move, Proposal proposal, Situation situation) {
        var name = proposal.layout().tenant(move.tenant()).name();
        var pod = situation.pods().get(name);
        if (pod == null) {
            return Optional.of(name + " is not there any more");
        }
        var before = siblings(pod);
        var metadata = pod.getMetadata();
        var outcome =
                new Evictions(lookout.cluster()).evict(metadata.getNamespace(), metadata.getName(), metadata.getUid());
        return switch (outcome) {
            case EvictionOutcome.Evicted _ -> follow(pod, move, proposal, before);
            case EvictionOutcome.Gone _ ->
                Optional.of(name + " has gone by itself: the plan is out of date, make a new one");
            case EvictionOutcome.Forbidden(var message) ->
                Optional.of("%s is not evicted: %s".formatted(name, message));
            case EvictionOutcome.Refused(var message) ->
                Optional.of("%s could not be evicted: %s".formatted(name, message));
        };
    }

    private Optional<String> follow(Pod pod, Move move, Proposal proposal, Set<String> before) {
        var name = ClusterLayout.name(pod);
        var replacement = awaited(pod, before);
        if (replacement.isEmpty()) {
            return Optional.of("%s was evicted, and after %d s nothing has a node in its place: see 'berth explain'"
                    .formatted(name, patience.toSeconds()));
        }
        var planned = proposal.layout().sites().get(move.to().node()).name().value();
        var where = Pods.nodeOf(replacement.get()).orElseThrow().value();
        var done = new Made(name, ClusterLayout.name(replacement.get()), where, planned);
        made.add(done);
        told.accept(done);
        return done.asPlanned()
                ? Optional.empty()
                : Optional.of("%s went to %s and not to %s: no more is moved; make a new plan"
                        .formatted(done.replacement(), where, planned));
    }

    /** A node that somebody else has cordoned stays so. */
    private Optional<String> cordoned(NodeName node, Supplier<Optional<String>> move) {
        boolean open =
                lookout.rooms().find(node).filter(room -> !room.unschedulable()).isPresent();
        if (!open) {
            return move.get();
        }
        cordon(node, true);
        try {
            return move.get();
        } finally {
            cordon(node, false);
        }
    }

    private void cordon(NodeName node, boolean closed) {
        lookout.cluster()
                .courier()
                .patch("/api/v1/nodes/" + node, Courier.MERGE_PATCH, Map.of("spec", Map.of("unschedulable", closed)));
    }

    /** The pod that has a node in place of this one, once this one is gone. */
    private Optional<Pod> awaited(Pod pod, Set<String> before) {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int looks = 1; System.nanoTime() < deadline; looks++) {
            boolean gone = lookout.pods()
                    .byUid(pod.getMetadata().getUid())
                    .filter(old -> !Sighting.finished(old))
                    .isEmpty();
            var next = of(pod).stream()
                    .filter(each -> !before.contains(each.getMetadata().getUid()))
                    .filter(each -> Pods.nodeOf(each).isPresent())
                    .findFirst();
            if (gone && next.isPresent()) {
                return next;
            }
            if (!lookout.cluster().retry().pause(Math.min(looks, 2))) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Set<String> siblings(Pod pod) {
        return of(pod).stream().map(each -> each.getMetadata().getUid()).collect(Collectors.toSet());
    }

    /** All that the pod's controller has made. */
    private List<Pod> of(Pod pod) {
        var owner = Mobility.controller(pod).orElseThrow().getUid();
        return lookout.pods().all().stream()
                .filter(each -> Mobility.controller(each)
                        .filter(other -> owner.equals(other.getUid()))
                        .isPresent())
                .toList();
    }
}
