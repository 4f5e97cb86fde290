package dev.berth.bench;

import dev.berth.simulator.Fill;
import dev.berth.simulator.GeneratedTrace;
import dev.berth.simulator.Outcome;
import dev.berth.simulator.Task;
import dev.berth.simulator.Trace;
import dev.berth.simulator.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How long the simulator takes, on one thread and warm: each pod of a trace once, then a large made one. */
public final class SimulatorRun {
    private static final int WARM_UP = 5;
    private static final int MEASURED = 5;

    private SimulatorRun() {}

    public static void main(String[] arguments) throws IOException {
        var trace = arguments.length == 2
                ? TraceReader.read(Path.of(arguments[0]), Path.of(arguments[1]))
                : GeneratedTrace.of(1_213, 8_152, 1);
        for (var policy : List.of("fgd", "berth")) {
            for (int run = 0; run < WARM_UP; run++) {
                var _ = once(trace, policy, run);
            }
            for (int run = 0; run < MEASURED; run++) {
                print(trace, policy, run);
            }
        }
        var large = GeneratedTrace.of(10_000, 100_000, 1);
        print(large, "fgd", 1);
        print(large, "berth", 1);
    }

    private static void print(Trace trace, String policy, long seed) {
        long start = System.nanoTime();
        var outcome = once(trace, policy, seed);
        System.out.printf(
                "%-6s %6d pods on %5d nodes: %6.2f s, %d placed, %.2f %% given out%n",
                policy,
                outcome.placed() + outcome.waiting(),
                trace.machines().size(),
                (System.nanoTime() - start) / 1e9,
                outcome.placed(),
                100 * outcome.allocated());
    }

    /** Until all pods of the trace have come, none twice. */
    private static Outcome once(Trace trace, String policy, long seed) {
        double asked = trace.tasks().stream().mapToLong(Task::cores).sum();
        return new Fill(trace, (asked + 0.5) / trace.cores()).run(policy, seed);
    }
}
