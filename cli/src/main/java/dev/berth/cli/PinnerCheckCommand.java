package dev.berth.cli;

import dev.berth.pinner.check.CheckService;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The document's way to see that it works. */
@Command(
        name = "check",
        description =
                "Print the node and CUDA_VISIBLE_DEVICES of this container every LOG_INTERVAL seconds (default: 10). The node is $NODE_NAME, else the host's name.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExample:%n",
        footer = "  NODE_NAME=n1 LOG_INTERVAL=5 berth pinner check")
final class PinnerCheckCommand implements Callable<Integer> {
    private static final int SIGTERM = 15;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        var service = new CheckService(
                System.getenv(),
                PinnerCheckCommand::hostName,
                spec.commandLine().getOut(),
                InstantSource.system());
        var hook = new Thread(() -> stop(service), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            service.run();
            return ExitCode.OK;
        } catch (CheckService.BadIntervalException wrong) {
            Runtime.getRuntime().removeShutdownHook(hook);
            spec.commandLine().getErr().println(wrong.getMessage());
            spec.commandLine().getErr().flush();
            return ExitCode.SOFTWARE;
        }
    }

    private static void stop(CheckService service) {
        try {
            service.stop(SIGTERM, PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        // Asked to stop, and stopped: that is success, not the 143 that the JVM would report.
        Runtime.getRuntime().halt(0);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown-node";
        }
    }
}
