package dev.berth.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.generate.Shapes;
import dev.berth.claims.manifest.ManifestText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Made-up capacity, to try things out with. */
@Command(
        name = "generate",
        description =
                "Print pools of devices as drivers would publish them, for kubectl apply -f - and berth schedule -f -.",
        mixinStandardHelpOptions = true,
        subcommands = GenerateTraceCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth generate dgxa100 | kubectl apply -f -",
            "  berth generate dgxh100 --nodes 100 --with-nodes -o json",
            "  berth generate trace --out .     a trace for berth simulate",
        })
final class Generate implements Callable<Integer> {
    private static final int MOST_NODES = 10_000;
    private static final int MOST_GPUS = 64;

    @Parameters(
            paramLabel = "SHAPE",
            arity = "0..1", // a command below it has no shape
            completionCandidates = ShapeNames.class,
            description = "What the machines are like: ${COMPLETION-CANDIDATES}.")
    private String shape = "";

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many machines (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--gpus",
            paramLabel = "N",
            description = "How many devices each has; without it as many as such a machine has, and one for dgxa100.")
    private @Nullable Integer gpus;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Another seed gives other UUIDs (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--with-nodes", description = "Print the Node objects too.")
    private boolean withNodes;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "yaml or json (default: ${DEFAULT-VALUE}).")
    private ManifestText output = ManifestText.YAML;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Taken and not used, as by the program whose name {@code bin/gen} is. */
    @Option(names = "-v", hidden = true)
    void verbose(boolean ignored) {}

    /** The names, for help and completion. */
    static final class ShapeNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        ShapeNames() {
            super(Shapes.names());
        }
    }

    @Override
    public Integer call() {
        if (shape.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Missing required parameter: 'SHAPE'");
        }
        if (nodes < 1 || nodes > MOST_NODES) throw outOfRange("--nodes", nodes, MOST_NODES);
        if (gpus != null && (gpus < 1 || gpus > MOST_GPUS)) throw outOfRange("--gpus", gpus, MOST_GPUS);
        List<DevicePool> pools = pools();
        List<ObjectNode> objects = new ArrayList<>();
        if (withNodes) objects.addAll(Shapes.nodes(pools));
        pools.forEach(pool -> objects.add(pool.json()));
        output.write(objects, spec.commandLine().getOut());
        return 0;
    }

    private List<DevicePool> pools() {
        try {
            OptionalInt each = gpus == null ? OptionalInt.empty() : OptionalInt.of(gpus);
            return Shapes.pools(new Shapes.Order(shape, nodes, each, seed));
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()), unknown);
        }
    }

    private ParameterException outOfRange(String option, int value, int most) {
        return new ParameterException(spec.commandLine(), "%s takes 1 to %d, not %d".formatted(option, most, value));
    }
}
