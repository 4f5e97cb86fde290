package dev.berth.cli;

import dev.berth.cli.demo.Day;
import dev.berth.cli.demo.Stage;
import dev.berth.cli.explain.ServedConsole;
import dev.berth.cli.up.Door;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A day in a minute or two, for those who want to see it work before they write YAML. */
@Command(
        name = "demo",
        description =
                "Play a scripted day on a cluster of its own: pods come through every door, the cluster fills up, a node fails, a quota is hit, a node is drained. Ends by itself.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  berth demo", "  berth demo --minutes 480 --speed 240 --seed 7"})
final class Demo implements Callable<Integer> {
    private static final int NODES = 4;
    private static final int GPUS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "240",
            description = "How many minutes of the day are played (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Option(
            names = "--speed",
            paramLabel = "N",
            defaultValue = "60",
            description = "How many times faster than life (default: ${DEFAULT-VALUE}).")
    private double speed;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which day: the same number is the same day (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        if (minutes < 1 || minutes > 1440) throw wrong("--minutes takes 1 to 1440, not " + minutes);
        if (!(speed >= 1 && speed <= 10_000)) throw wrong("--speed takes 1 to 10000, not " + speed);
        var out = spec.commandLine().getOut();
        var clock = InstantSource.system();
        var own = OwnCluster.start(new OwnCluster.Settings(0, Optional.empty(), NODES, GPUS, true), clock);
        var opening = new RunningUp.Opening(EnumSet.allOf(Door.class), true, "127.0.0.1", Optional.empty());
        try (var up = RunningUp.on(own, opening, clock);
                var console = ServedConsole.onLoopback(up.cluster(), up.doors().beliefs(), 0, clock)) {
            if (!up.doors().awaitReady(PATIENCE)) throw new IllegalStateException("the doors are not ready");
            out.printf(
                    "A day in %d minutes. The console: http://127.0.0.1:%d/%n%n",
                    Math.max(1, Math.round(minutes / speed)), console.port());
            out.flush();
            var nodes = IntStream.range(0, NODES).mapToObj(i -> "gpu-node-" + i).toList();
            try (var stage = new Stage(up.cluster(), speed, out)) {
                stage.play(Day.of(seed, Duration.ofMinutes(minutes), nodes, GPUS));
            }
        }
        return 0;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
