package dev.berth.cli;

import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The kinds, for a cluster that does not have them yet. */
@Command(
        name = "crds",
        description =
                "Print the CRDs of devmgmtproto.k8s.io/v1alpha1, and of the node ledger that keeps two schedulers apart.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  berth claims crds | kubectl apply -f -")
final class ClaimsCrdsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        List<String> all = new ArrayList<>(ClaimDefinitions.yaml());
        all.add(NodeLedgerDefinition.yaml());
        for (String yaml : all) {
            out.println("---");
            out.print(yaml);
        }
        out.flush();
    }
}
