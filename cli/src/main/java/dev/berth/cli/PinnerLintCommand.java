package dev.berth.cli;

import dev.berth.core.Ledger;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import dev.berth.kube.ledger.SharedNodeLedgers;
import dev.berth.pinner.scheduler.Rehearsal;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what would happen to each replica of a manifest. */
@Command(
        name = "lint",
        description =
                "Check the maps of pods and workloads against a cluster, or against the nodes of a file, and print what would happen to each replica. Nothing is written.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every replica would be bound",
            "1:some replica would wait or be left to another scheduler, or a line of a map is malformed",
            "2:the input cannot be used"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth pinner lint statefulset.yaml --kubeconfig F",
            "  kubectl get nodes -o yaml > nodes.yaml; berth pinner lint statefulset.yaml --nodes nodes.yaml"
        })
final class PinnerLintCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Mixin
    private PinnerName name = new PinnerName();

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Pods and workloads: YAML or JSON, or - for stdin.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Take the nodes of these files in place of a cluster's.")
    private List<Path> nodeFiles = new ArrayList<>();

    @Option(names = "--exclusive", description = "As for the scheduler: no GPU for two pods.")
    private boolean exclusive;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        var replicas = new ArrayList<Pod>();
        for (var manifest : Replicas.read(files)) {
            replicas.addAll(Replicas.of(manifest));
        }
        if (replicas.isEmpty()) {
            throw new Complaint.BadInput("there is no pod and no workload with a pod template in " + files);
        }
        Set<String> remarks = new LinkedHashSet<>();
        replicas.forEach(replica -> remarks.addAll(Rehearsal.remarks(replica)));
        var lines = rehearsal().of(replicas);
        var table = new TextTable("REPLICA", "NODE", "GPUS", "RESULT");
        boolean allBound = true;
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i);
            var obstacle = line.waiting().map(why -> "waits: " + why).or(stranger(replicas.get(i)));
            table.row(
                    line.replica(),
                    line.node().orElse("<none>"),
                    line.gpus().orElse("<none>"),
                    obstacle.orElse("bound"));
            allBound &= obstacle.isEmpty();
        }
        table.print(spec.commandLine().getOut());
        var err = spec.commandLine().getErr();
        remarks.forEach(err::println);
        err.flush();
        return allBound && wellFormed(replicas) ? 0 : 1;
    }

    /** A pod whose map is fine and is read by nobody: the scheduler that it names does not know of maps. */
    private Supplier<Optional<String>> stranger(Pod pod) {
        var named = Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), "default-scheduler");
        return () -> named.equals(name.value())
                ? Optional.empty()
                : Optional.of("ignored: its schedulerName is %s, not %s".formatted(named, name.value()));
    }

    private static boolean wellFormed(List<Pod> replicas) {
        return replicas.stream().allMatch(Rehearsal::wellFormed);
    }

    private Rehearsal rehearsal() {
        if (!nodeFiles.isEmpty()) {
            var nodes = Replicas.read(nodeFiles).stream()
                    .filter(manifest -> manifest.kind().equals("Node"))
                    .map(manifest -> Replicas.convert(manifest.body(), Node.class))
                    .toList();
            if (nodes.isEmpty()) {
                throw new Complaint.BadInput("there is no Node in " + nodeFiles);
            }
            return new Rehearsal(nodes, List.of(), Ledger.EMPTY, exclusive);
        }
        try (var cluster = Cluster.connect(kube.settings())) {
            var nodes = cluster.client().nodes().list().getItems();
            var pods = cluster.client().pods().inAnyNamespace().list().getItems();
            return new Rehearsal(nodes, pods, held(cluster), exclusive);
        }
    }

    private static Ledger held(Cluster cluster) {
        if (!NodeLedgerDefinition.served(cluster)) {
            return Ledger.EMPTY;
        }
        try (var ledgers = new SharedNodeLedgers(cluster, _ -> OptionalInt.empty())) {
            return ledgers.refresh(PATIENCE);
        }
    }
}
