package dev.berth.cli;

import dev.berth.claims.file.FileSchedule;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.ManifestText;
import dev.berth.claims.scheduler.ServerSchedule;
import dev.berth.core.policy.Listed;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.ledger.LedgerFlags;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Places pods with device claims, once: those of files, or those of a server. */
@Command(
        name = "schedule",
        description =
                "Place pending pods, of files or of a server, and print the claims and pods as they are then. On a server the claims' status is written and the pods are bound.",
        mixinStandardHelpOptions = true,
        preprocessor = OneDash.class,
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
            "  berth schedule --kubeconfig kubeconfig one-gpu",
            "  berth schedule -n team-a --all -o table",
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
            converter = PolicyName.class,
            description = "Which of several good places is taken (default: ${DEFAULT-VALUE}).")
    private Policy policy = new Listed();

    @Parameters(paramLabel = "POD", arity = "0..*", description = "The pods of the server to place.")
    private List<String> pods = new ArrayList<>();

    @Option(
            names = "--all",
            description = "Place every pod of the namespace that waits and has claims, or is this scheduler's.")
    private boolean all;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The pods' namespace. Default: the kubeconfig's.")
    private @Nullable String namespace;

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "berth",
            description = "Whose pods --all takes even without claims (default: ${DEFAULT-VALUE}).")
    private String schedulerName = "berth";

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private LedgerFlags ledger = new LedgerFlags();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Taken and not used, as by the program whose name {@code bin/schedule} is. */
    @Option(names = "-v", hidden = true)
    void verbose(boolean ignored) {}

    @Override
    public Integer call() {
        boolean onServer = all || !pods.isEmpty();
        if (onServer != files.isEmpty() || (all && !pods.isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(), "give either files (-f FILE), or pods of a server (POD... or --all)");
        }
        try {
            var result = onServer ? onServer() : FileSchedule.run(ManifestFiles.read(files), nodes, policy);
            print(result);
            result.outcomes().forEach(outcome -> spec.commandLine().getErr().println(outcome.words()));
            return result.allPlaced() ? 0 : 1;
        } catch (ManifestException wrong) {
            throw new Complaint.BadInput(String.valueOf(wrong.getMessage()));
        }
    }

    private FileSchedule.Result onServer() {
        if (!nodes.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--node is for files; on a server the pods choose");
        }
        try (var cluster = Cluster.connect(kube.settings())) {
            var where = Objects.requireNonNullElseGet(namespace, cluster::namespace);
            return ServerSchedule.run(
                    cluster, counts -> ledger.open(cluster, counts), schedulerName, policy, where, pods);
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
