package dev.berth.cli.explain;

import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import dev.berth.kube.explain.PodReport;
import dev.berth.kube.explain.ReportJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what speaks against one node for one pod. */
@Command(
        name = "why-not",
        description = "Say what speaks against one node for one pod, as if there were no other node.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing: the pod is there, or the node would do",
            "1:the node will not do",
            "2:there is no such node or pod"
        },
        footerHeading = "%nExample:%n",
        footer = "  berth why-not gpu-node-1 team-a/train-0")
public final class WhyNotCommand implements Callable<Integer> {
    @Mixin
    private ExplainFlags flags = new ExplainFlags();

    @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Parameters(index = "1", paramLabel = "POD", description = "The pod: NAMESPACE/NAME, or a name in -n's.")
    private String pod = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (var sight = flags.open()) {
            var name = new NodeName(sight.node(node).getMetadata().getName());
            var report = sight.report(sight.pod(pod, flags.namespace()), name);
            flags.print(spec.commandLine().getOut(), () -> ReportJson.of(report), told -> told.whyNot(node, report));
            return report.node().map(node::equals).orElseGet(() -> wouldDo(report)) ? 0 : 1;
        }
    }

    private boolean wouldDo(PodReport report) {
        return report.opinions().stream()
                .anyMatch(opinion -> opinion.answer() instanceof Answer.Fits fits
                        && fits.node().value().equals(node));
    }
}
