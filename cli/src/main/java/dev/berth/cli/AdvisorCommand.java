package dev.berth.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The advisor door. */
@Command(
        name = "advisor",
        description = "Advice by learning: which GPU suits which kind of job.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            AdvisorAgentCommand.class,
            AdvisorWebhookCommand.class,
            AdvisorAllCommand.class,
            AdvisorObserverCommand.class,
            AdvisorEvaluateCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth advisor agent                                 answer /v1/score and learn from /v1/observe",
            "  berth advisor webhook --scheduler-url URL           write the agent's advice into pods and Jobs",
            "  berth advisor observer --kubeconfig F               tell the agent how long pods ran",
            "  berth advisor all --kubeconfig F --observe          all three in one process",
            "  berth advisor evaluate --plot regret.svg            compare the models on made workloads"
        })
final class AdvisorCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
