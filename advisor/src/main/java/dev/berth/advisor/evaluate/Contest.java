package dev.berth.advisor.evaluate;

import dev.berth.advisor.model.Bayes;
import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.EmaSettings;
import dev.berth.advisor.model.Model;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Every model on every seed of a scenario. */
public record Contest(Scenario scenario, List<Long> seeds, Map<String, List<Trial>> trials) {

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
            shares.add(trials.get(model).get(i).seconds()
                            / trials.get(other).get(i).seconds()
                    - 1);
        }
        return Interval.of(shares);
    }
}
