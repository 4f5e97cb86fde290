package dev.berth.simulator;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster and the pods that came to it. */
public record Trace(List<Machine> machines, List<Task> tasks) {
    public Trace {
        machines = List.copyOf(machines);
        tasks = List.copyOf(tasks);
    }

    /** Hundredths of a GPU. */
    public long cores() {
        return machines.stream().mapToLong(Machine::gpus).sum() * Slice.WHOLE;
    }

    /** What its pods usually ask for. */
    public Workload workload() {
        Map<Parcel, Long> counts = new HashMap<>();
        tasks.forEach(task -> counts.merge(task.parcel(), 1L, Long::sum));
        return Workload.typical(counts, Workload.TYPICAL);
    }
}
