package dev.berth.cli.defrag;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Complaint;
import dev.berth.cli.Replicas;
import dev.berth.cli.explain.Output;
import dev.berth.cli.explain.Sight;
import dev.berth.kube.cache.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says which pods to move, and moves them if that is wanted. */
@Command(
        name = "defrag",
        description =
                "Say which pods to move so that one that waits finds room, or so that fragmentation falls. Nothing is moved without --apply.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is a plan, or nothing to do; with --apply: it was carried out",
            "1:no moves make room; with --apply: it was not carried out to its end",
            "2:the input cannot be used"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth defrag --plan --for team-a/train-0        the fewest moves that make room for it",
            "  berth defrag --plan -f pod.yaml                 before it is submitted",
            "  berth defrag --plan --moves 5                   five moves that lower fragmentation",
            "  berth defrag --for team-a/train-0 --apply --max-disruption 2 --cordon",
            "  kubectl get nodes,pods -A -o json | berth defrag --plan --cluster - --moves 5",
            "  berth defrag --plan --nodes nodes.csv --pods pods.csv --moves 5"
        })
public final class DefragCommand implements Callable<Integer> {
    /** For a pod that waits, unless --moves says otherwise. */
    private static final int MOVES = 4;

    private static final int MOST_MOVES = 10_000;

    @Mixin
    private DefragSource source = new DefragSource();

    @Option(names = "--plan", description = "Only say what would be done. This is so without --apply anyway.")
    private boolean plan;

    @Option(
            names = "--for",
            paramLabel = "NAMESPACE/NAME",
            description = "The waiting pod that room is made for; without a namespace in -n's.")
    private @Nullable String pod;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "The same for a pod that is not submitted yet: YAML or JSON, - for stdin.")
    private @Nullable Path file;

    @Option(
            names = "--moves",
            paramLabel = "N",
            description = "At most so many moves. With neither --for nor -f: those that lower fragmentation most.")
    private Optional<Integer> moves = Optional.empty();

    @Option(
            names = "--apply",
            description =
                    "Carry the plan out on the running cluster: evict one pod after the other. Needs --max-disruption.")
    private boolean apply;

    @Option(
            names = "--max-disruption",
            paramLabel = "N",
            description = "With --apply: evict at most so many pods; a plan that needs more is not begun.")
    private Optional<Integer> maxDisruption = Optional.empty();

    @Option(
            names = "--cordon",
            description =
                    "With --apply: cordon the node that a pod leaves until the pod in its place has a node, so that it does not come back.")
    private boolean cordon;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "With --apply: how long a pod may take to go and to be replaced (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace of pods that do not say theirs. Default: the kubeconfig's.")
    private @Nullable String namespace;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (default: ${DEFAULT-VALUE}).")
    private Output output = Output.TEXT;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        check();
        if (source.trace()) {
            return report(source.simulated(), Optional.empty());
        }
        if (!source.running()) {
            var written = source.written();
            return report(withFile(written, Optional.ofNullable(namespace).orElse("default")), Optional.empty());
        }
        try (var sight = Sight.open(source.connection())) {
            var seen = DefragSource.running(sight);
            return report(withFile(seen, sight.namespace(namespace)), Optional.of(sight));
        }
    }

    private void check() {
        source.problem(spec.commandLine().getParseResult()).ifPresent(this::complain);
        if (pod != null && file != null) {
            complain("give --for or -f, not both");
        }
        if (pod == null && file == null && moves.isEmpty()) {
            complain(
                    "say what is wanted: --for NAMESPACE/NAME or -f FILE for room, or --moves N for less fragmentation");
        }
        int most = moves.orElse(MOVES);
        if (most < 1 || most > MOST_MOVES) {
            complain("--moves takes 1 to %d, not %d".formatted(MOST_MOVES, most));
        }
        if (source.trace() && file != null) {
            complain("-f is for clusters: of a trace name a waiting pod with --for");
        }
        if (plan && apply) {
            complain("--plan only says what would be done, --apply does it: give one of them");
        }
        if (apply && !source.running()) {
            complain("--apply needs a running cluster");
        }
        if (apply && maxDisruption.filter(allowed -> allowed > 0).isEmpty()) {
            complain("--apply needs --max-disruption N: how many pods may be evicted at most");
        }
        if (!apply && maxDisruption.isPresent()) {
            complain("--max-disruption says how many pods --apply may evict");
        }
        if (!apply && cordon) {
            complain("--cordon says how --apply goes about it");
        }
        if (timeout < 1) {
            complain("--timeout takes 1 or more, not " + timeout);
        }
    }

    private void complain(String message) {
        throw new ParameterException(spec.commandLine(), message);
    }

    /** The situation, and the pod of the file waits in it like any other. */
    private Situation withFile(ClusterLayout cluster, String defaultNamespace) {
        var situation = cluster.situation();
        if (file == null) {
            return situation;
        }
        var pods = Replicas.read(List.of(file)).stream()
                .flatMap(manifest -> Replicas.of(manifest).stream())
                .toList();
        if (pods.size() != 1) {
            throw new Complaint.BadInput("%s has %d pods; name one file with one".formatted(file, pods.size()));
        }
        var wanted = pods.getFirst();
        if (wanted.getMetadata().getNamespace() == null) {
            wanted.getMetadata().setNamespace(defaultNamespace);
        }
        checkAsk(wanted);
        pod = ClusterLayout.name(wanted);
        var waiting = new ArrayList<>(situation.waiting());
        waiting.removeIf(each -> each.name().equals(pod));
        waiting.add(new Situation.Waiting(ClusterLayout.name(wanted), cluster.need(wanted)));
        return new Situation(situation.layout(), waiting, situation.pods());
    }

    private static void checkAsk(Pod wanted) {
        if (Pods.nodeOf(wanted).isPresent()) {
            throw new Complaint.BadInput(ClusterLayout.name(wanted) + " has its node");
        }
        var ask = PodAsk.of(wanted, List.of());
        ask.stays().ifPresent(reason -> {
            throw new Complaint.BadInput("%s: %s".formatted(ClusterLayout.name(wanted), reason));
        });
        if (ask.slices().isEmpty()) {
            throw new Complaint.BadInput(
                    "%s asks for no GPUs by number or in parts: room is planned for those, not for labels, claims or maps"
                            .formatted(ClusterLayout.name(wanted)));
        }
    }

    private int report(Situation situation, Optional<Sight> sight) {
        int most = moves.orElse(MOVES);
        var out = spec.commandLine().getOut();
        Proposal proposal;
        var name = "";
        if (pod == null) {
            proposal = Proposal.tidying(situation, most);
        } else {
            var wanted = waiting(situation, sight);
            name = wanted.name();
            proposal = Proposal.roomFor(wanted, situation, most);
        }
        boolean planned = pod == null || proposal.room().isPresent();
        if (output == Output.TEXT) {
            print(proposal, name, most, out);
        }
        if (!planned || !apply || proposal.moves().isEmpty()) {
            end(ProposalJson.of(proposal, name), out);
            return planned ? 0 : 1;
        }
        return carryOut(proposal, situation, name, sight.orElseThrow(), out);
    }

    private void print(Proposal proposal, String name, int most, PrintWriter out) {
        var text = new ProposalText(out, proposal);
        if (name.isEmpty()) {
            text.tidying();
        } else {
            text.roomFor(name, most);
        }
        out.flush();
    }

    private Situation.Waiting waiting(Situation situation, Optional<Sight> sight) {
        var text = String.valueOf(pod);
        var name = source.trace() || text.contains("/")
                ? text
                : sight.map(each -> each.namespace(namespace))
                                .or(() -> Optional.ofNullable(namespace))
                                .orElse("default")
                        + "/" + text;
        return situation.waiting().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    // Says it if there is no such pod.
                    sight.filter(_ -> file == null)
                            .map(each -> each.pod(name, namespace))
                            .ifPresent(DefragCommand::checkAsk);
                    return new Complaint.BadInput("no pod %s waits for GPUs".formatted(name));
                });
    }

    private int carryOut(Proposal proposal, Situation situation, String name, Sight sight, PrintWriter out) {
        int allowed = maxDisruption.orElse(0);
        var maker = new MoveMaker(sight.lookout(), cordon, Duration.ofSeconds(timeout), made -> {
            if (output == Output.TEXT) {
                out.println("moved %s: %s is on %s%s"
                        .formatted(
                                made.pod(),
                                made.replacement(),
                                made.node(),
                                made.asPlanned() ? "" : ", not on " + made.planned()));
                out.flush();
            }
        });
        var problem = proposal.moves().size() > allowed
                ? Optional.of("the plan has %s, --max-disruption allows %d: nothing was moved"
                        .formatted(ProposalText.moves(proposal.moves().size()), allowed))
                : maker.make(proposal, situation);
        end(ProposalJson.applied(ProposalJson.of(proposal, name), maker.made(), problem), out);
        problem.ifPresent(message -> {
            spec.commandLine().getErr().println("berth: " + message);
            spec.commandLine().getErr().flush();
        });
        return problem.isPresent() ? 1 : 0;
    }

    private void end(ObjectNode json, PrintWriter out) {
        if (output == Output.JSON) {
            out.println(json.toPrettyString());
        } else if (!apply) {
            out.println("nothing was moved");
        }
        out.flush();
    }
}
