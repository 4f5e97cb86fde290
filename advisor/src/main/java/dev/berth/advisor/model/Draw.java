package dev.berth.advisor.model;

import java.util.random.RandomGenerator;

/** Random numbers of the distributions that posteriors have. */
final class Draw {
    private Draw() {}

    /** Student's t with mean 0 and scale 1. */
    static double studentT(RandomGenerator random, double degrees) {
        return random.nextGaussian() / Math.sqrt(2 * gamma(random, degrees / 2) / degrees);
    }

    /** A gamma variate with scale 1, by Marsaglia and Tsang's squeeze; the shape is at least 1 here. */
    static double gamma(RandomGenerator random, double shape) {
        if (!(shape >= 1)) throw new IllegalArgumentException("a shape below 1: " + shape);
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = 1 + c * x;
            if (v <= 0) continue;
            v = v * v * v;
            if (Math.log(1 - random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
        }
    }
}
