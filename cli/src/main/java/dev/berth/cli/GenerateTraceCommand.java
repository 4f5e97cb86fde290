package dev.berth.cli;

import dev.berth.simulator.GeneratedTrace;
import dev.berth.simulator.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A made trace, to try the simulator with. */
@Command(
        name = "trace",
        description = "Write a made trace with the statistics of a production cluster: nodes.csv and pods.csv.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth generate trace --out . && berth simulate --nodes nodes.csv --pods pods.csv")
final class GenerateTraceCommand implements Callable<Integer> {
    private static final int MOST_NODES = 100_000;
    private static final int MOST_PODS = 1_000_000;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1200",
            description = "How many machines (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--pods",
            paramLabel = "N",
            defaultValue = "8000",
            description = "How many pods (default: ${DEFAULT-VALUE}).")
    private int pods;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Another seed gives another trace (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "The folder to write into.")
    private Path folder = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        check("--nodes", nodes, MOST_NODES);
        check("--pods", pods, MOST_PODS);
        for (var file : TraceWriter.write(GeneratedTrace.of(nodes, pods, seed), folder)) {
            spec.commandLine().getOut().println("wrote " + file);
        }
        return 0;
    }

    private void check(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(spec.commandLine(), "%s takes 1 to %d, not %d".formatted(option, most, value));
        }
    }
}
