package dev.berth.advisor.evaluate;

import java.util.random.RandomGenerator;

/** How long jobs really take: what models have to find out. Changes with the regime; its owner is one workload. */
final class Truth {
    private static final double SENSITIVE = 0.4;

    private final Scenario scenario;
    private final RandomGenerator random;
    private final double[] length;
    private final double[] speed;
    private final double[][] affinity;
    private final double[][][] slowdown;

    Truth(Scenario scenario, RandomGenerator random) {
        this.scenario = scenario;
        this.random = random;
        this.length = new double[scenario.jobTypes()];
        this.speed = new double[scenario.gpuTypes()];
        this.affinity = new double[scenario.jobTypes()][scenario.gpuTypes()];
        this.slowdown = new double[scenario.jobTypes()][scenario.jobTypes()][scenario.gpuTypes()];
        for (int job = 0; job < length.length; job++) {
            length[job] = Math.log(Scenario.MIDDLE_SECONDS) + scenario.jobSpread() * random.nextGaussian();
            for (int gpu = 0; gpu < speed.length; gpu++) affinity[job][gpu] = drawAffinity();
            for (int other = 0; other < length.length; other++) drawSlowdown(job, other);
        }
        for (int gpu = 0; gpu < speed.length; gpu++) speed[gpu] = scenario.gpuSpread() * random.nextGaussian();
    }

    private double drawAffinity() {
        return scenario.affinitySpread() * random.nextGaussian();
    }

    /** A job suffers from a neighbour or it does not; how much differs from GPU to GPU. */
    private void drawSlowdown(int job, int other) {
        boolean sensitive = random.nextDouble() < SENSITIVE;
        for (int gpu = 0; gpu < speed.length; gpu++) {
            double share = random.nextDouble();
            slowdown[job][other][gpu] = sensitive ? scenario.interference() * share : 0;
        }
    }

    /** A new regime: some pairs are drawn anew, and perhaps the GPUs change places. */
    void change() {
        for (double[] ofJob : affinity) {
            for (int gpu = 0; gpu < ofJob.length; gpu++) {
                boolean anew = random.nextDouble() < scenario.redrawn();
                double drawn = drawAffinity();
                if (anew) ofJob[gpu] = drawn;
            }
        }
        if (scenario.reversed()) {
            for (int gpu = 0; gpu < speed.length; gpu++) speed[gpu] = -speed[gpu];
        }
    }

    /** The logarithm of the run time, without what differs from run to run. */
    double logarithm(int job, int gpu, int[] neighbours) {
        double disturbed = 1;
        for (int neighbour : neighbours) disturbed += slowdown[job][neighbour][gpu];
        return length[job] + speed[gpu] + affinity[job][gpu] + Math.log(disturbed);
    }
}
