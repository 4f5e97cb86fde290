package dev.berth.cli.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Complaint;
import dev.berth.cli.Replicas;
import dev.berth.kube.explain.PodReport;
import dev.berth.kube.explain.ReportJson;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says where pods of files would go, before anything is submitted; its subcommands speak of what is there. */
@Command(
        name = "explain",
        description =
                "Say why a pod waits or where it would go, through each door that takes it; or who holds a node's devices. Nothing is written.",
        mixinStandardHelpOptions = true,
        subcommands = {ExplainPodCommand.class, ExplainNodeCommand.class},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every pod would find a place", "1:some pod would wait", "2:the input cannot be used"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth explain -f pod.yaml             where would it go?",
            "  berth explain pod team-a/train-0      why does it wait?",
            "  berth explain node gpu-node-1         who holds what?",
            "  kubectl berth explain pod train-0 -o json"
        })
public final class ExplainCommand implements Callable<Integer> {
    @Mixin
    private ExplainFlags flags = new ExplainFlags();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            arity = "1..*",
            description = "Pods and workloads: YAML or JSON files, directories of them, or - for stdin.")
    private List<Path> files = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        if (files.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "say what is to be explained: -f FILE, pod NAMESPACE/NAME, or node NAME");
        }
        var pods = new ArrayList<Pod>();
        Replicas.read(files).forEach(manifest -> pods.addAll(Replicas.of(manifest)));
        if (pods.isEmpty()) {
            throw new Complaint.BadInput("there is no pod and no workload with a pod template in " + files);
        }
        try (var sight = flags.open()) {
            var reports = pods.stream()
                    .map(pod -> sight.report(pod, flags.namespace()))
                    .toList();
            flags.print(spec.commandLine().getOut(), () -> json(reports), told -> reports.forEach(told::pod));
            return reports.stream().allMatch(PodReport::fits) ? 0 : 1;
        }
    }

    private static ObjectNode json(List<PodReport> reports) {
        var list = JsonNodeFactory.instance.objectNode();
        var all = list.putArray("pods");
        reports.forEach(report -> all.add(ReportJson.of(report)));
        return list;
    }
}
