package dev.berth.simulator;

import dev.berth.core.share.Fragments;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fills a cluster: pods arrive in random order until they have asked for so much of it, and nobody leaves (the protocol
 * of Weng et al., ATC 2023).
 */
public final class Fill {
    /** So many looks are taken on the way. */
    static final int LOOKS = 130;

    private final Trace trace;
    private final double arrive;
    private final double movable;
    private final Workload known;

    /** @param arrive until what was asked for is this part of all GPUs */
    public Fill(Trace trace, double arrive) {
        this(trace, arrive, 0);
    }

    /** @param movable this part of the pods that have a place may be moved once, when all have come */
    public Fill(Trace trace, double arrive, double movable) {
        this.trace = trace;
        this.arrive = arrive;
        this.movable = movable;
        this.known = trace.workload();
    }

    public Outcome run(String policy, long seed) {
        var chosen = new Chosen(policy, trace, known, seed);
        var cluster = chosen.cluster();
        var arriving = Arrivals.upTo((long) (arrive * trace.cores()), trace.tasks(), seed);
        var notes = new Notes(cluster);
        var settlement = new Settlement(cluster.machines());
        for (var task : arriving) {
            chosen.saw(task);
            var seat = cluster.place(task);
            seat.ifPresentOrElse(settlement::seated, () -> settlement.waits(task));
            notes.arrived(task, seat.isPresent());
        }
        if (movable > 0) {
            notes.moved(rearranged(cluster, settlement));
        }
        notes.look();
        return notes.outcome(policy, seed);
    }

    /** The cluster of a run as it is in the end, for whoever wants to move its pods. */
    public Settlement settlement(String policy, long seed) {
        var chosen = new Chosen(policy, trace, known, seed);
        var settlement = new Settlement(chosen.cluster().machines());
        for (var task : Arrivals.upTo((long) (arrive * trace.cores()), trace.tasks(), seed)) {
            chosen.saw(task);
            chosen.cluster().place(task).ifPresentOrElse(settlement::seated, () -> settlement.waits(task));
        }
        return settlement;
    }

    private Outcome.Moved rearranged(SimulatedCluster cluster, Settlement settlement) {
        double all = trace.cores();
        double before = cluster.taken() / all;
        double bound = CardBound.of((int) (all / Slice.WHOLE), settlement.seated(), settlement.waiting());
        var moving = new Rearrangement(
                cluster, settlement, (int) (movable * settlement.seated().size()));
        moving.run();
        return new Outcome.Moved(moving.moves(), moving.pods(), before, bound / all);
    }

    /** What is written down on the way. */
    private final class Notes {
        private final SimulatedCluster cluster;
        private final Fragments fragments = new Fragments(known);
        private final List<Outcome.Look> looks = new ArrayList<>();
        private final HeatMap heat;
        private final Map<Why, Integer> waiting = new EnumMap<>(Why.class);
        private long asked;
        private int placed;
        private int refused;
        private Optional<Outcome.Moved> moved = Optional.empty();

        Notes(SimulatedCluster cluster) {
            this.cluster = cluster;
            this.heat = new HeatMap(cluster.machines());
            look();
        }

        void arrived(Task task, boolean seated) {
            asked += task.cores();
            if (seated) {
                placed++;
            } else {
                refused++;
                waiting.merge(cluster.why(task), 1, Integer::sum);
            }
            if (asked >= looks.size() * arrive * trace.cores() / LOOKS) {
                look();
            }
        }

        /** Pods that have their place only now wait no longer; why they waited is still told. */
        void moved(Outcome.Moved done) {
            moved = Optional.of(done);
            placed += done.pods();
            refused -= done.pods();
        }

        void look() {
            double all = trace.cores();
            looks.add(
                    new Outcome.Look(asked / all, cluster.taken() / all, cluster.fragments(fragments) / all, refused));
            heat.look(cluster);
        }

        Outcome outcome(String policy, long seed) {
            double gpus = (double) cluster.taken() / Slice.WHOLE;
            return new Outcome(
                    policy,
                    seed,
                    cluster.taken() / (double) trace.cores(),
                    gpus,
                    placed,
                    refused,
                    looks,
                    waiting,
                    heat,
                    moved);
        }
    }
}
