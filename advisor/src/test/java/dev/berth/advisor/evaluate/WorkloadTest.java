package dev.berth.advisor.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WorkloadTest {
    private static Scenario scenario(String name) {
        return Scenario.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSeedGivesTheSameJobsEachTime() {
        assertThat(Workload.of(scenario("typical"), 7)).isEqualTo(Workload.of(scenario("typical"), 7));
        assertThat(Workload.of(scenario("typical"), 7)).isNotEqualTo(Workload.of(scenario("typical"), 8));
    }

    @Test
    void runsMeasureWhatIsExpectedOfThemInTheMean() {
        for (var scenario : Scenario.all()) {
            double ratios = 0;
            int runs = 0;
            for (long seed = 1; seed <= 5; seed++) {
                for (var arrival : Workload.of(scenario, seed)) {
                    for (var gpu : arrival.candidates()) {
                        ratios += of(arrival.seconds(), gpu) / of(arrival.expected(), gpu);
                        runs++;
                    }
                }
            }
            assertThat(ratios / runs).as(scenario.name()).isCloseTo(1, Offset.offset(0.05));
        }
    }

    @Test
    void atLeastTwoGpusAreFreeAndTheirOrderSaysNothing() {
        Map<String, Integer> first = new HashMap<>();
        for (var arrival : Workload.of(scenario("typical"), 1)) {
            assertThat(arrival.candidates()).hasSizeGreaterThanOrEqualTo(2).doesNotHaveDuplicates();
            first.merge(arrival.candidates().getFirst(), 1, Integer::sum);
        }
        assertThat(first).hasSize(5);
        assertThat(first.values()).allSatisfy(times -> assertThat(times).isBetween(300, 500));
    }

    @Test
    void aReversalMakesTheFastestGpuTheSlowest() {
        List<Arrival> arrivals = Workload.of(scenario("treacherous"), 3);
        var before = ranking(arrivals.subList(0, 25));
        var after = ranking(arrivals.subList(25, 50));
        assertThat(after.reversed()).isEqualTo(before);
    }

    /** GPUs from fast to slow, by what is expected of all jobs. */
    private static List<String> ranking(List<Arrival> arrivals) {
        Map<String, Double> sums = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (var arrival : arrivals) {
            double middle = arrival.expected().values().stream()
                    .mapToDouble(Math::log)
                    .average()
                    .orElseThrow();
            arrival.expected().forEach((gpu, seconds) -> {
                sums.merge(gpu, Math.log(seconds) - middle, Double::sum);
                counts.merge(gpu, 1, Integer::sum);
            });
        }
        return sums.keySet().stream()
                .sorted(Comparator.comparingDouble(gpu -> of(sums, gpu) / counts.getOrDefault(gpu, 0)))
                .toList();
    }

    private static double of(Map<String, Double> byGpu, String gpu) {
        return byGpu.getOrDefault(gpu, Double.NaN);
    }
}
