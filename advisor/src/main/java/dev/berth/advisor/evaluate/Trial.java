package dev.berth.advisor.evaluate;

import static java.util.Objects.requireNonNull;

import dev.berth.advisor.model.Model;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What became of a workload under one model.
 *
 * @param seconds the run times of all jobs, added up
 * @param regret after each job: how many seconds were lost up to there, against the best choice each time, as the truth
 *     expected it
 */
public record Trial(String model, double seconds, List<Double> regret) {

    static Trial of(Model model, List<Arrival> arrivals) {
        double seconds = 0;
        double lost = 0;
        List<Double> regret = new ArrayList<>();
        for (var arrival : arrivals) {
            var advice = model.advise(new Question(arrival.jobType(), arrival.candidates(), arrival.colocated()));
            double took = of(arrival.seconds(), advice.chosen());
            model.observe(new Observation(arrival.jobType(), advice.chosen(), took, arrival.colocated()));
            seconds += took;
            lost += of(arrival.expected(), advice.chosen()) - arrival.bestExpected();
            regret.add(lost);
        }
        return new Trial(model.name(), seconds, List.copyOf(regret));
    }

    private static double of(Map<String, Double> byGpu, String chosen) {
        return requireNonNull(byGpu.get(chosen), () -> chosen + " is no candidate");
    }
}
