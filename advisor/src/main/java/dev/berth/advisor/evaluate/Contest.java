package dev.berth.advisor.evaluate;

import dev.berth.advisor.model.Bayes;
import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.EmaSettings;
import dev.berth.advisor.model.Model;
import dev.berth.web.plot.LinePlot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Every model on every seed of a scenario. */
public record Contest(Scenario scenario, List<Long> seeds, Map<String, List<Trial>> trials) {
    /** A point of the plot for so many jobs each. */
    private static final int PLOTTED = 20;

    public static Contest of(Scenario scenario, List<Long> seeds) {
        Map<String, List<Trial>> trials = new LinkedHashMap<>();
        for (long seed : seeds) {
            var arrivals = Workload.of(scenario, seed);
            for (Model model : models(seed)) {
                trials.computeIfAbsent(model.name(), _ -> new ArrayList<>()).add(Trial.of(model, arrivals));
            }
        }
        return new Contest(scenario, List.copyOf(seeds), trials);
    }

    /** Fresh ones, which know nothing; their chance is not the workload's. */
    private static List<Model> models(long seed) {
        var random = new SplittableRandom(~seed);
        return List.of(
                new Bayes(random.split(), EmaSettings.STANDARD.retention()),
                new Ema(EmaSettings.STANDARD),
                Baseline.greedy(),
                Baseline.roundRobin(),
                Baseline.random(random.split()));
    }

    /** How much longer the model's jobs took than those of the first one, seed by seed; 0.1 is a tenth. */
    public Interval longerThan(String other, String model) {
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < seeds.size(); i++) {
            shares.add(trials(model).get(i).seconds() / trials(other).get(i).seconds() - 1);
        }
        return Interval.of(shares);
    }

    /** The share of its jobs' run time that the model lost against the best choice each time. */
    public double lost(String model) {
        return trials(model).stream()
                .mapToDouble(trial -> trial.regret().getLast() / trial.seconds())
                .average()
                .orElseThrow();
    }

    /** What each model had lost after so many jobs, as the mean of all seeds. */
    public LinePlot plot() {
        List<LinePlot.Line> lines = new ArrayList<>();
        for (String model : trials.keySet()) {
            List<LinePlot.Point> points = new ArrayList<>(List.of(new LinePlot.Point(0, 0)));
            for (int job = PLOTTED; job <= scenario.jobs(); job += PLOTTED) points.add(point(model, job));
            lines.add(new LinePlot.Line(model, points));
        }
        return new LinePlot("Run time lost: " + scenario.name(), "jobs", "hours lost against the best choices", lines);
    }

    private LinePlot.Point point(String model, int job) {
        return new LinePlot.Point(job, lostAfter(model, job) / 3600);
    }

    /** The seconds that the model had lost after so many jobs, as the mean of all seeds. */
    public double lostAfter(String model, int jobs) {
        return trials(model).stream()
                .mapToDouble(trial -> trial.regret().get(jobs - 1))
                .average()
                .orElseThrow();
    }

    /** On how many seeds the model's jobs took less time than those of the other. */
    public long beats(String model, String other) {
        long won = 0;
        for (int i = 0; i < seeds.size(); i++) {
            if (trials(model).get(i).seconds() < trials(other).get(i).seconds()) won++;
        }
        return won;
    }

    /** The model's, in the order of the seeds. */
    public List<Trial> trials(String model) {
        return trials.getOrDefault(model, List.of());
    }
}
