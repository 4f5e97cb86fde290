package dev.berth.cli.explain;

import dev.berth.kube.explain.ReportJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says who holds the devices of a node. */
@Command(
        name = "node",
        description = "Say which devices a node has, through which doors they are given out, and who holds them.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:said", "2:there is no such node"},
        footerHeading = "%nExample:%n",
        footer = "  berth explain node gpu-node-1")
final class ExplainNodeCommand implements Callable<Integer> {
    @Mixin
    private ExplainFlags flags = new ExplainFlags();

    @Parameters(paramLabel = "NAME", description = "The node.")
    private String node = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        try (var sight = flags.open()) {
            var report = sight.report(sight.node(node));
            flags.print(spec.commandLine().getOut(), () -> ReportJson.of(report), told -> told.node(report));
            return 0;
        }
    }
}
