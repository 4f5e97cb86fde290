package dev.berth.advisor.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The jobs of a scenario under one seed: the same for every model, whatever it chooses. */
public final class Workload {
    private final Scenario scenario;
    private final RandomGenerator random;
    private final Truth truth;
    private final double[] shares;

    private Workload(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.random = new SplittableRandom(seed);
        this.truth = new Truth(scenario, random);
        this.shares = zipf(scenario.jobTypes());
    }

    public static List<Arrival> of(Scenario scenario, long seed) {
        return new Workload(scenario, seed).arrivals();
    }

    private List<Arrival> arrivals() {
        List<Arrival> arrivals = new ArrayList<>();
        int regime = 0;
        for (int i = 0; i < scenario.jobs(); i++) {
            int now = (int) ((long) i * scenario.regimes() / scenario.jobs());
            if (now != regime) truth.change();
            regime = now;
            arrivals.add(arrival());
        }
        return List.copyOf(arrivals);
    }

    private Arrival arrival() {
        int job = drawJob();
        int[] neighbours = new int[scenario.neighbours() == 0 ? 0 : random.nextInt(scenario.neighbours() + 1)];
        for (int i = 0; i < neighbours.length; i++) neighbours[i] = drawJob();
        Map<String, Double> seconds = new LinkedHashMap<>();
        Map<String, Double> expected = new LinkedHashMap<>();
        for (int gpu : drawCandidates()) {
            double logarithm = truth.logarithm(job, gpu, neighbours);
            double noise = scenario.noise();
            seconds.put(gpuName(gpu), Math.exp(logarithm + noise * random.nextGaussian()));
            // The mean of a log-normal distribution lies above its middle.
            expected.put(gpuName(gpu), Math.exp(logarithm + noise * noise / 2));
        }
        List<String> colocated = new ArrayList<>();
        for (int neighbour : neighbours) colocated.add(jobName(neighbour));
        return new Arrival(
                jobName(job),
                List.copyOf(seconds.keySet()),
                List.copyOf(colocated),
                Map.copyOf(seconds),
                Map.copyOf(expected));
    }

    private int drawJob() {
        double drawn = random.nextDouble();
        for (int job = 0; job < shares.length; job++) {
            drawn -= shares[job];
            if (drawn < 0) return job;
        }
        return shares.length - 1;
    }

    /** At least two types of GPU are free, in an order that says nothing. */
    private int[] drawCandidates() {
        int all = scenario.gpuTypes();
        int[] order = new int[all];
        for (int i = 0; i < all; i++) {
            int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        int free = 2 + random.nextInt(all - 1);
        return Arrays.copyOf(order, free);
    }

    private static double[] zipf(int types) {
        double[] shares = new double[types];
        double sum = 0;
        for (int i = 0; i < types; i++) {
            shares[i] = 1.0 / (i + 1);
            sum += shares[i];
        }
        for (int i = 0; i < types; i++) shares[i] /= sum;
        return shares;
    }

    private static String jobName(int job) {
        return "job-" + (job + 1);
    }

    private static String gpuName(int gpu) {
        return "gpu-" + (char) ('a' + gpu);
    }
}
