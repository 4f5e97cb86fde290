package dev.berth.advisor.evaluate;

import dev.berth.advisor.model.Model;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Question;
import java.util.ArrayList;
import java.util.List;

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
            double took = arrival.seconds().get(advice.chosen());
            model.observe(new Observation(arrival.jobType(), advice.chosen(), took, arrival.colocated()));
            seconds += took;
            lost += arrival.expected().get(advice.chosen()) - arrival.bestExpected();
            regret.add(lost);
        }
        return new Trial(model.name(), seconds, List.copyOf(regret));
    }
}
