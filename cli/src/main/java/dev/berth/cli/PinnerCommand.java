package dev.berth.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The pinner door. */
@Command(
        name = "pinner",
        description = "Replicas placed by a map: a scheduler that binds them, a webhook that shows them their GPUs.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PinnerSchedulerCommand.class,
            PinnerWebhookCommand.class,
            PinnerAllCommand.class,
            PinnerCheckCommand.class,
            PinnerLintCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth pinner all --kubeconfig F                   scheduler and webhook in one process",
            "  berth pinner lint statefulset.yaml                what would happen to each replica",
            "  berth pinner check                                where am I, and what do I see"
        })
final class PinnerCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
