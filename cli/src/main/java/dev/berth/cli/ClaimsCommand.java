package dev.berth.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The claims door. */
@Command(
        name = "claims",
        description = "Device claims: their kinds, and the scheduler that serves them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ClaimsSchedulerCommand.class, ClaimsCrdsCommand.class, ClaimsConvertCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth claims crds | kubectl apply -f -            teach a cluster the kinds",
            "  berth claims scheduler --kubeconfig F             place the pods that name the scheduler berth",
            "  berth claims convert --help                       from fields to the annotation, and to resource.k8s.io/v1"
        })
final class ClaimsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
