package dev.berth.cli;

import dev.berth.claims.file.FileSchedule;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.ManifestText;
import dev.berth.core.policy.Policies;
import dev.berth.core.policy.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Places pods with device claims: those of files. */
@Command(
        name = "schedule",
        description = "Place the pending pods of files, and print the claims and pods as they are then.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every pod was placed",
            "1:some pod could not be placed; the reasons are on stderr",
            "2:the input cannot be used; nothing was written"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth schedule -f classes.yaml -f pools.yaml -f pod.yaml",
            "  berth generate dgxa100 | berth schedule -f - -f pods/ -o table",
        })
final class Schedule implements Callable<Integer> {
    /** What is printed. */
    enum Output {
        YAML,
        JSON,
        TABLE
    }

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description =
                    "Nodes, classes, pools, claims and pods: YAML or JSON files, directories of them, or - for stdin.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            arity = "1..*",
            description = "Take only these nodes; without it all that the files name.")
    private List<String> nodes = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "yaml, json or table (default: ${DEFAULT-VALUE}).")
    private Output output = Output.YAML;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "listed",
            description = "Which of several good places is taken (default: ${DEFAULT-VALUE}).")
    private String policy = "listed";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Policy chosen = chosen();
        try {
            List<Manifest> manifests = ManifestFiles.read(files);
            var result = FileSchedule.run(manifests, nodes, chosen);
            print(result);
            result.outcomes().forEach(outcome -> spec.commandLine().getErr().println(outcome.words()));
            return result.allPlaced() ? 0 : 1;
        } catch (ManifestException wrong) {
            throw new Complaint.BadInput(String.valueOf(wrong.getMessage()));
        }
    }

    private Policy chosen() {
        try {
            return Policies.named(policy);
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), "--policy: " + unknown.getMessage(), unknown);
        }
    }

    private void print(FileSchedule.Result result) {
        PrintWriter out = spec.commandLine().getOut();
        switch (output) {
            case YAML -> ManifestText.YAML.write(result.written(), out);
            case JSON -> ManifestText.JSON.write(result.written(), out);
            case TABLE -> {
                var table = new TextTable("POD", "NODE", "CLAIM", "DEVICES");
                for (var outcome : result.outcomes()) {
                    switch (outcome) {
                        case FileSchedule.Placed placed
                        when placed.devices().isEmpty() -> table.row(placed.pod(), placed.node(), "<none>", "<none>");
                        case FileSchedule.Placed placed ->
                            placed.devices()
                                    .forEach((claim, devices) ->
                                            table.row(placed.pod(), placed.node(), claim, String.join(",", devices)));
                        case FileSchedule.NotPlaced waiting -> table.row(waiting.pod(), "<none>", "<none>", "<none>");
                    }
                }
                table.print(out);
            }
        }
    }
}
