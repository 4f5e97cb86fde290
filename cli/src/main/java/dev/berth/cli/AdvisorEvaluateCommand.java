package dev.berth.cli;

import dev.berth.advisor.evaluate.Contest;
import dev.berth.advisor.evaluate.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Every model on made workloads whose truth is hidden from it: all seeds are printed, the lost ones, too. */
@Command(
        name = "evaluate",
        description =
                "Replay made workloads against every model: total run time, and what was lost against the best choices.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth advisor evaluate                                 all scenarios, 20 seeds each",
            "  berth advisor evaluate --scenario typical --plot regret.svg"
        })
final class AdvisorEvaluateCommand implements Callable<Integer> {
    /** The regret is printed so many times on its way. */
    private static final int PARTS = 8;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "20",
            description = "Run seeds 1 to N; at least 2 (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--scenario", paramLabel = "NAME", description = "Only this scenario; may be given again.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Write the regret over time as SVG; of the first scenario that is run.")
    private Optional<Path> plot = Optional.empty();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (seeds < 2) throw new ParameterException(spec.commandLine(), "--seeds must be at least 2, not " + seeds);
        var numbers = LongStream.rangeClosed(1, seeds).boxed().toList();
        PrintWriter out = spec.commandLine().getOut();
        boolean first = true;
        for (var scenario : scenarios()) {
            var contest = Contest.of(scenario, numbers);
            print(contest, out);
            if (first && plot.isPresent())
                Files.writeString(plot.get(), contest.plot().svg());
            first = false;
        }
        return 0;
    }

    private List<Scenario> scenarios() {
        var all = Scenario.all();
        if (names.isEmpty()) return all;
        var known = all.stream().map(Scenario::name).toList();
        for (var name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no scenario %s; there are %s".formatted(name, String.join(", ", known)));
            }
        }
        return all.stream().filter(each -> names.contains(each.name())).toList();
    }

    private static void print(Contest contest, PrintWriter out) {
        var scenario = contest.scenario();
        out.printf("%s: %s%n", scenario.name(), scenario.meaning());
        out.printf(
                "%d jobs, %d types of job, %d of GPU; hours of all jobs, seed by seed; * where bayes lost%n%n",
                scenario.jobs(), scenario.jobTypes(), scenario.gpuTypes());
        var models = List.copyOf(contest.trials().keySet());
        List<String> headings = new ArrayList<>(List.of("SEED"));
        models.forEach(model -> headings.add(model.toUpperCase(Locale.ROOT)));
        var table = new TextTable(headings.toArray(String[]::new));
        for (int i = 0; i < contest.seeds().size(); i++) {
            List<String> row = new ArrayList<>(List.of(contest.seeds().get(i).toString()));
            for (var model : models) row.add(hours(contest, model, i));
            table.row(row.toArray(String[]::new));
        }
        table.print(out);
        out.println();
        printRegret(contest, models, out);
        var summary = new TextTable(
                "MODEL",
                "LONGER THAN BAYES",
                "95 % CONFIDENCE",
                "SEEDS WON AGAINST BAYES",
                "LOST AGAINST THE BEST CHOICES");
        for (var model : models) {
            var longer = contest.longerThan("bayes", model);
            summary.row(
                    model,
                    model.equals("bayes") ? "-" : percent(longer.mean()),
                    model.equals("bayes") ? "-" : percent(longer.low()) + " to " + percent(longer.high()),
                    model.equals("bayes")
                            ? "-"
                            : "%d of %d"
                                    .formatted(
                                            contest.beats(model, "bayes"),
                                            contest.seeds().size()),
                    "%.1f %%".formatted(100 * contest.lost(model)));
        }
        summary.print(out);
        out.println();
    }

    /** What the plot shows, in numbers. */
    private static void printRegret(Contest contest, List<String> models, PrintWriter out) {
        out.println("hours lost against the best choices up to there, mean of all seeds");
        out.println();
        List<String> headings = new ArrayList<>(List.of("JOBS"));
        models.forEach(model -> headings.add(model.toUpperCase(Locale.ROOT)));
        var table = new TextTable(headings.toArray(String[]::new));
        for (int part = 1; part <= PARTS; part++) {
            int jobs = contest.scenario().jobs() * part / PARTS;
            List<String> row = new ArrayList<>(List.of(Integer.toString(jobs)));
            for (var model : models) row.add("%.1f".formatted(contest.lostAfter(model, jobs) / 3600));
            table.row(row.toArray(String[]::new));
        }
        table.print(out);
        out.println();
    }

    private static String hours(Contest contest, String model, int seed) {
        double seconds = contest.trials(model).get(seed).seconds();
        double ours = contest.trials("bayes").get(seed).seconds();
        return "%.1f%s".formatted(seconds / 3600, seconds < ours ? "*" : "");
    }

    private static String percent(double share) {
        return "%+.1f %%".formatted(100 * share);
    }
}
