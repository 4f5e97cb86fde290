package dev.berth.simulator;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Replays a trace in its own times: pods come when they came, perhaps quicker after one another, run as long as they
 * ran, and wait where there is no room. Whenever some leave, those that wait are tried in the order in which they came.
 */
public final class Replay {
    private final Trace trace;
    private final double speed;
    private final Workload known;

    /**
     * @param speed so many times quicker after one another than in the trace; how long each runs stays
     * @throws IllegalArgumentException where a pod has no times
     */
    public Replay(Trace trace, double speed) {
        for (var task : trace.tasks()) {
            if (task.span().isEmpty()) {
                throw new IllegalArgumentException(
                        "pod %s has no creation_time and deletion_time".formatted(task.name()));
            }
        }
        this.trace = trace;
        this.speed = speed;
        this.known = trace.workload();
    }

    public Timetable run(String policy, long seed) {
        return new Run(new Chosen(policy, trace, known, seed)).run(policy, seed);
    }

    /** A pod that came, and when. */
    private record Arrival(Task task, double time) {}

    private record Departure(Seat seat, double time) {}

    /** Pods that ask for the same: where one finds no room, the others do not either. */
    private record Alike(Parcel parcel, long memory) {}

    /** One run. */
    private final class Run {
        private final Chosen chosen;
        private final SimulatedCluster cluster;
        private final PriorityQueue<Departure> running =
                new PriorityQueue<>(Comparator.comparingDouble(Departure::time));
        private final List<Arrival> queue = new ArrayList<>();
        private final List<Double> waits = new ArrayList<>();
        private double coreSeconds;
        private double now;
        private double end;
        private int longest;

        Run(Chosen chosen) {
            this.chosen = chosen;
            this.cluster = chosen.cluster();
        }

        Timetable run(String policy, long seed) {
            var arrivals = arrivals();
            double start = arrivals.isEmpty() ? 0 : arrivals.getFirst().time();
            for (var arrival : arrivals) {
                leaveUntil(arrival.time());
                now = arrival.time();
                chosen.saw(arrival.task());
                if (!seat(arrival)) {
                    queue.add(arrival);
                    longest = Math.max(longest, queue.size());
                }
            }
            leaveUntil(Double.POSITIVE_INFINITY);
            double seconds = Math.max(0, end - start);
            double allocated = seconds == 0 ? 0 : coreSeconds / (seconds * trace.cores());
            return new Timetable(policy, seed, waits, queue.size(), longest, seconds, allocated);
        }

        private List<Arrival> arrivals() {
            return trace.tasks().stream()
                    .map(task -> new Arrival(task, task.span().orElseThrow().from() / speed))
                    .sorted(Comparator.comparingDouble(Arrival::time)
                            .thenComparing(arrival -> arrival.task().name()))
                    .toList();
        }

        private void leaveUntil(double time) {
            while (!running.isEmpty() && running.element().time() <= time) {
                now = running.element().time();
                while (!running.isEmpty() && running.element().time() <= now) {
                    cluster.remove(running.remove().seat());
                }
                tryThoseThatWait();
            }
        }

        private void tryThoseThatWait() {
            var hopeless = new HashSet<Alike>();
            queue.removeIf(arrival -> {
                var alike = new Alike(arrival.task().parcel(), arrival.task().memory());
                if (hopeless.contains(alike)) {
                    return false;
                }
                boolean seated = seat(arrival);
                if (!seated) {
                    hopeless.add(alike);
                }
                return seated;
            });
        }

        private boolean seat(Arrival arrival) {
            var found = cluster.place(arrival.task());
            found.ifPresent(seat -> {
                var span = arrival.task().span().orElseThrow();
                double leaves = now + (span.to() - span.from());
                running.add(new Departure(seat, leaves));
                waits.add(now - arrival.time());
                coreSeconds += (double) arrival.task().cores() * (span.to() - span.from());
                end = Math.max(end, leaves);
            });
            return found.isPresent();
        }
    }
}
