package dev.berth.bench.load;

import java.util.List;
import java.util.Locale;

/**
 * The straight line through figures that were taken at equal distances (least squares).
 *
 * @param first where the line begins
 * @param last where it ends
 * @param scatter how far the figures lie from it (standard deviation)
 */
record Trend(int count, double first, double last, double scatter) {
    private static final int FEWEST = 10;
    /** A rise of less than this part of where it began is no drift. */
    private static final double TOLERANCE = 0.10;

    /** A rise that is not this many times the scatter may be chance. */
    private static final double CERTAIN = 2;

    static Trend of(List<Double> figures) {
        int count = figures.size();
        double meanX = (count - 1) / 2.0;
        double meanY =
                figures.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        double covariance = 0;
        double variance = 0;
        for (int x = 0; x < count; x++) {
            covariance += (x - meanX) * (figures.get(x) - meanY);
            variance += (x - meanX) * (x - meanX);
        }
        double slope = variance == 0 ? 0 : covariance / variance;
        double first = meanY - slope * meanX;
        double squares = 0;
        for (int x = 0; x < count; x++) {
            double off = figures.get(x) - (first + slope * x);
            squares += off * off;
        }
        return new Trend(count, first, first + slope * (count - 1), count < 3 ? 0 : Math.sqrt(squares / (count - 2)));
    }

    double rise() {
        return last - first;
    }

    /** Whether it rises by more than a tenth, and by more than chance would. */
    boolean drifts() {
        return count >= FEWEST && rise() > TOLERANCE * first && rise() > CERTAIN * scatter;
    }

    String words(String unit) {
        return String.format(
                Locale.ROOT,
                "%.1f to %.1f %s (scatter %.1f): %s",
                first,
                last,
                unit,
                scatter,
                count < FEWEST ? "too short to say" : drifts() ? "DRIFTS" : "flat");
    }
}
