package dev.berth.cli;

import dev.berth.core.share.SharePolicies;
import dev.berth.simulator.Comparison;
import dev.berth.simulator.Outcome;
import dev.berth.simulator.Replay;
import dev.berth.simulator.Simulation;
import dev.berth.simulator.Trace;
import dev.berth.simulator.Why;
import dev.berth.simulator.report.ReportFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Fills the cluster of a trace with its pods, policy by policy, and says what came of it. */
@Command(
        name = "simulate",
        description =
                "Fill a cluster with the pods of a trace: how much GPU each policy hands out before the cluster is full.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "2:a file or an option cannot be used; the message names file and line"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth simulate --nodes nodes.csv --pods pods.csv --policy best-fit,fgd,berth",
            "  berth simulate --nodes nodes.csv --pods pods.csv --seeds 42-51 --out report",
            "  berth simulate --nodes nodes.csv --pods pods.csv --replay --speed 500 --seeds 1",
            "  berth simulate --kubeconfig F --what-if 'add 4 nodes of dgxh100'",
            "  kubectl get nodes,pods -A -o json | berth simulate --cluster -",
            "  berth generate trace --out .     a trace to try it with",
        })
final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_SEEDS = 1_000;
    private static final double MOST_ARRIVALS = 100;

    @Mixin
    private TraceSource source = new TraceSource();

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "fgd,berth",
            description = "One or more policies (default: ${DEFAULT-VALUE}).")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--arrive",
            paramLabel = "PART",
            defaultValue = "1.3",
            description = "Pods arrive until they have asked for this part of all GPUs (default: ${DEFAULT-VALUE}).")
    private double arrive;

    @Option(
            names = "--seeds",
            paramLabel = "FROM-TO",
            defaultValue = "42-51",
            description = "The seeds of the runs: 42-51, or one number (default: ${DEFAULT-VALUE}).")
    private String seeds = "";

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "So many runs at a time; without it as many as there are processors.")
    private Optional<Integer> threads = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write report.html, simulation.json, runs.csv and looks.csv there; of a replay replay.csv.")
    private Optional<Path> folder = Optional.empty();

    @Option(
            names = "--replay",
            description = "Let pods come and go at the trace's own times, and queue, instead of filling the cluster.")
    private boolean replay;

    @Option(
            names = "--speed",
            paramLabel = "TIMES",
            defaultValue = "1",
            description = "With --replay: so many times quicker after one another (default: ${DEFAULT-VALUE}).")
    private double speed;

    @Option(
            names = "--moves",
            paramLabel = "PART",
            defaultValue = "0",
            description =
                    "When all have come, this part of the pods that have a place may be moved once so that others find room: 10%% or 0.1 (default: none).")
    private String moves = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var settings = settings();
        var trace = source.read(spec.commandLine());
        var out = spec.commandLine().getOut();
        if (replay) {
            return replay(trace, settings, out);
        }
        var bar = ProgressBar.onTerminal(spec.commandLine().getErr(), settings.runs());
        var comparison = new Simulation(trace, settings).run(bar::show);
        bar.clear();
        out.printf(
                "%d nodes, %d GPUs; pods ask for %.0f %% of them; %d seed%s%n%n",
                trace.machines().size(),
                trace.cores() / 100,
                100 * arrive,
                settings.seeds().size(),
                settings.seeds().size() == 1 ? "" : "s");
        printSummary(comparison, out);
        if (settings.movable() > 0) {
            MovesTable.print(comparison, out);
        }
        if (settings.seeds().size() > 1) {
            printSeeds(comparison, out);
        }
        printReasons(comparison, out);
        if (folder.isPresent()) {
            for (var file : ReportFiles.write(comparison, folder.get())) {
                out.println("wrote " + file);
            }
        }
        out.flush();
        return 0;
    }

    private int replay(Trace trace, Simulation.Settings settings, PrintWriter out) throws IOException {
        if (!(speed > 0 && Double.isFinite(speed))) {
            throw wrong("--speed takes more than 0, not " + speed);
        }
        var bar = ProgressBar.onTerminal(spec.commandLine().getErr(), settings.runs());
        var table = new ReplayTable();
        try {
            var run = new Replay(trace, speed);
            for (var policy : settings.policies()) {
                for (var seed : settings.seeds()) {
                    table.add(run.run(policy, seed));
                    bar.show(table.size());
                }
            }
        } catch (IllegalArgumentException timeless) {
            throw new Complaint.BadInput(source.ofPods() + ": " + timeless.getMessage());
        }
        bar.clear();
        table.print(out);
        if (folder.isPresent()) {
            out.println("wrote " + table.write(folder.get()));
        }
        out.flush();
        return 0;
    }

    private Simulation.Settings settings() {
        for (var policy : policies) {
            if (!SharePolicies.names().contains(policy)) {
                throw wrong("no policy is called '%s'; there are: %s"
                        .formatted(policy, String.join(", ", SharePolicies.names())));
            }
        }
        if (!(arrive > 0 && arrive <= MOST_ARRIVALS)) {
            throw wrong("--arrive takes more than 0 and at most %.0f, not %s".formatted(MOST_ARRIVALS, arrive));
        }
        int atATime = threads.orElse(Runtime.getRuntime().availableProcessors());
        if (atATime < 1) {
            throw wrong("--threads takes 1 or more, not " + atATime);
        }
        double movable = movable();
        if (replay && movable > 0) {
            throw wrong("--moves is for filling a cluster, not for --replay");
        }
        checkOptionsOfTheOther();
        return new Simulation.Settings(policies.stream().distinct().toList(), seeds(), arrive, atATime, movable);
    }

    /** Filling and replaying have options of their own: what would be ignored is said. */
    private void checkOptionsOfTheOther() {
        var given = spec.commandLine().getParseResult();
        if (!replay && given.hasMatchedOption("--speed")) {
            throw wrong("--speed says how quickly --replay goes: give both");
        }
        for (var option : List.of("--arrive", "--threads")) {
            if (replay && given.hasMatchedOption(option)) {
                throw wrong(option + " is for filling a cluster, not for --replay");
            }
        }
    }

    private double movable() {
        boolean percent = moves.endsWith("%");
        try {
            double part =
                    Double.parseDouble(percent ? moves.substring(0, moves.length() - 1) : moves) / (percent ? 100 : 1);
            if (part >= 0 && part <= 1) {
                return part;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, as for a part that is none.
        }
        throw wrong("--moves takes a part of the pods such as 10%% or 0.1, not '%s'".formatted(moves));
    }

    private List<Long> seeds() {
        var ends = seeds.split("-", 2);
        try {
            long from = Long.parseLong(ends[0].strip());
            long to = ends.length == 1 ? from : Long.parseLong(ends[1].strip());
            if (from <= to && to - from < MOST_SEEDS) {
                return LongStream.rangeClosed(from, to).boxed().toList();
            }
        } catch (NumberFormatException notANumber) {
            // Said below, as for a range that is none.
        }
        throw wrong(
                "--seeds takes one number or FROM-TO with at most %d numbers, not '%s'".formatted(MOST_SEEDS, seeds));
    }

    private static void printSummary(Comparison comparison, PrintWriter out) {
        var table = new TextTable("POLICY", "GIVEN OUT", "WORST SEED", "BEST SEED", "GPUS", "FRAGMENTED", "WAITING");
        for (var policy : comparison.outcomes().keySet()) {
            table.row(
                    policy,
                    percent(comparison.mean(policy, Outcome::allocated)),
                    percent(comparison.least(policy, Outcome::allocated)),
                    percent(comparison.most(policy, Outcome::allocated)),
                    "%.0f".formatted(comparison.mean(policy, Outcome::gpus)),
                    percent(comparison.mean(policy, run -> run.looks().getLast().fragmented())),
                    "%.0f".formatted(comparison.mean(policy, Outcome::waiting)));
        }
        table.print(out);
        out.println();
    }

    private static void printSeeds(Comparison comparison, PrintWriter out) {
        var policies = List.copyOf(comparison.outcomes().keySet());
        List<String> headings = new ArrayList<>(List.of("SEED"));
        policies.forEach(policy -> headings.add(policy.toUpperCase(Locale.ROOT)));
        var table = new TextTable(headings.toArray(String[]::new));
        var numbers = comparison.settings().seeds();
        for (int place = 0; place < numbers.size(); place++) {
            List<String> row = new ArrayList<>(List.of(Long.toString(numbers.get(place))));
            for (var policy : policies) {
                row.add(percent(comparison.of(policy).get(place).allocated()));
            }
            table.row(row.toArray(String[]::new));
        }
        table.print(out);
        out.println();
    }

    private static void printReasons(Comparison comparison, PrintWriter out) {
        out.println("why pods wait, mean of all seeds");
        out.println();
        var policies = List.copyOf(comparison.outcomes().keySet());
        List<String> headings = new ArrayList<>(List.of("REASON"));
        policies.forEach(policy -> headings.add(policy.toUpperCase(Locale.ROOT)));
        var table = new TextTable(headings.toArray(String[]::new));
        for (var why : Why.values()) {
            List<String> row = new ArrayList<>(List.of(why.words()));
            for (var policy : policies) {
                row.add("%.0f".formatted(comparison.reasons(policy).getOrDefault(why, 0.0)));
            }
            table.row(row.toArray(String[]::new));
        }
        table.print(out);
        out.println();
    }

    private static String percent(double part) {
        return "%.2f %%".formatted(100 * part);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
