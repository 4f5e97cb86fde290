package dev.berth.bench.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What a door did in some seconds.
 *
 * @param latencies in microseconds
 * @param cores how much of the machine's cores it used, on average
 * @param megabytes resident at the end
 */
record Sample(double seconds, Histogram latencies, double cores, double megabytes) {
    double milliseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }

    double perSecond() {
        return latencies.getTotalCount() / seconds;
    }

    /** Several that follow each other, as one. */
    static Sample of(Iterable<Sample> parts) {
        double seconds = 0;
        double used = 0;
        double megabytes = 0;
        var latencies = new Histogram(3);
        for (var part : parts) {
            seconds += part.seconds;
            used += part.seconds * part.cores;
            megabytes = part.megabytes;
            latencies.add(part.latencies);
        }
        return new Sample(seconds, latencies, used / seconds, megabytes);
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%7.1f a second, p50 %7.2f ms, p99 %7.2f ms, p99.9 %7.2f ms; %.2f cores, %.0f MiB",
                perSecond(),
                milliseconds(50),
                milliseconds(99),
                milliseconds(99.9),
                cores,
                megabytes);
    }
}
