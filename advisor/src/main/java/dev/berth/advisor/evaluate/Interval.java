package dev.berth.advisor.evaluate;

import java.util.List;

/** A mean, and where the true one lies with 95 % confidence (Student's t). */
public record Interval(double low, double mean, double high) {
    /** The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom. */
    private static final double[] QUANTILES = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double NORMAL = 1.96;

    /** @param values at least two */
    static Interval of(List<Double> values) {
        int degrees = values.size() - 1;
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        double quantile = degrees <= QUANTILES.length ? QUANTILES[degrees - 1] : NORMAL;
        double half = quantile * Math.sqrt(squares / degrees / values.size());
        return new Interval(mean - half, mean, mean + half);
    }
}
