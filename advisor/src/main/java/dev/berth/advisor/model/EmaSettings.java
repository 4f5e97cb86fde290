package dev.berth.advisor.model;

/**
 * The knobs of {@link Ema}.
 *
 * @param lambda the price of uncertainty
 * @param beta the worth of information
 * @param gamma the price of disturbing neighbours
 * @param tauSquared the variance of a single run, as information is counted
 * @param explorationCap the largest share of decisions that explore
 * @param interference whether neighbours are looked at
 * @param retention the most pairs to remember
 */
public record EmaSettings(
        double lambda,
        double beta,
        double gamma,
        double tauSquared,
        double explorationCap,
        boolean interference,
        int retention) {
    public static final EmaSettings STANDARD = new EmaSettings(0.3, 0.7, 0.5, 0.15, 0.25, true, 1000);

    public EmaSettings {
        if (!(tauSquared > 0)) throw new IllegalArgumentException("tau squared must be above 0, not " + tauSquared);
        if (retention < 1) throw new IllegalArgumentException("retention must be at least 1, not " + retention);
    }
}
