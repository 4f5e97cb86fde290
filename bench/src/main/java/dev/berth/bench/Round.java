package dev.berth.bench;

import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One timed round.
 *
 * @param perSecond creates, or events over all watchers
 * @param serverMicros processor time of all the server's processes for each: what is left when others use the machine,
 *     too
 * @param clientMicros the client's own
 * @param latencies of single creates, in microseconds
 */
record Round(double perSecond, double serverMicros, double clientMicros, Histogram latencies) {
    static Round median(List<Round> rounds) {
        return rounds.stream()
                .sorted(Comparator.comparingDouble(Round::perSecond))
                .toList()
                .get(rounds.size() / 2);
    }

    double milliseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }
}
