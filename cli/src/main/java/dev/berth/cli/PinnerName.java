package dev.berth.cli;

import picocli.CommandLine.Option;

/** Which pods are the pinner's, as a picocli mixin: one name for both of its halves. */
final class PinnerName {
    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "${env:SCHEDULER_NAME:-gpu-scheduler}",
            description = "Serve the pods whose schedulerName is this. Default: $SCHEDULER_NAME, else gpu-scheduler.")
    private String name = "gpu-scheduler";

    String value() {
        return name;
    }
}
