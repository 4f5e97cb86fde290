package dev.berth.advisor.model;

/**
 * How long a job's next run on a GPU is expected to take, alone.
 *
 * @param runs on how many runs that rests; older ones count less
 * @param centre the median, in seconds
 * @param spread one standard deviation: of the logarithm where the run time is believed to be log-normal, else in
 *     seconds
 */
public record Belief(String jobType, String gpuType, double runs, double centre, double spread, boolean logarithmic) {
    /** A standard normal is below this in nine cases of ten. */
    private static final double NINE_OF_TEN = 1.2815515655446004;

    /** Of ten runs one is expected to take less than this, and one more than {@link #high}. */
    public double low() {
        return logarithmic ? centre * Math.exp(-NINE_OF_TEN * spread) : Math.max(0, centre - NINE_OF_TEN * spread);
    }

    public double high() {
        return logarithmic ? centre * Math.exp(NINE_OF_TEN * spread) : centre + NINE_OF_TEN * spread;
    }
}
