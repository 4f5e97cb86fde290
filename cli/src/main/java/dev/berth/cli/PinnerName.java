package dev.berth.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which pods are the pinner's, as a picocli mixin: one name for both of its halves. */
final class PinnerName {
    private static final String DEFAULT = "gpu-scheduler";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Serve the pods whose schedulerName is this. Default: $SCHEDULER_NAME, else gpu-scheduler.")
    private @Nullable String name;

    String value() {
        if (name != null) {
            if (name.isBlank()) {
                throw new Complaint.BadInput("--name is empty: pods name their scheduler");
            }
            return name;
        }
        // A variable that is set to nothing is as good as none, as everywhere in a shell.
        var said = Objects.requireNonNullElse(System.getenv("SCHEDULER_NAME"), "");
        return said.isBlank() ? DEFAULT : said;
    }
}
