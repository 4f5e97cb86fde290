package dev.berth.cli.explain;

import dev.berth.kube.explain.ReportJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says where a pod of the cluster is and what it holds, or why it waits. */
@Command(
        name = "pod",
        description = "Say what a pod holds, or why it waits: for each door, the reasons and what would help.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it has its node, or is over", "1:it waits", "2:there is no such pod"},
        footerHeading = "%nExamples:%n",
        footer = {"  berth explain pod team-a/train-0", "  berth explain pod train-0 -n team-a -o json"})
final class ExplainPodCommand implements Callable<Integer> {
    @Mixin
    private ExplainFlags flags = new ExplainFlags();

    @Parameters(paramLabel = "NAMESPACE/NAME", description = "The pod; without a namespace in -n's.")
    private String pod = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (var sight = flags.open()) {
            var report = sight.report(sight.pod(pod, flags.namespace()));
            flags.print(spec.commandLine().getOut(), () -> ReportJson.of(report), told -> told.pod(report));
            return report.node().isPresent() || report.over() ? 0 : 1;
        }
    }
}
