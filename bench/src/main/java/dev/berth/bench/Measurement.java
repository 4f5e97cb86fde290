package dev.berth.bench;

import org.HdrHistogram.Histogram;

/**
 * What one server did.
 *
 * @param createsPerSecond over all connections
 * @param latencies of single creates, in microseconds
 * @param deliveriesPerSecond events over all watchers, until the last one had the last
 * @param microsecondsPerCreate processor time of all its processes: what is left when others use the machine, too
 * @param microsecondsPerDelivery processor time again, with the creates that cause the events
 * @param megabytes resident, of all its processes, with all pods stored
 */
record Measurement(
        String name,
        double createsPerSecond,
        Histogram latencies,
        double microsecondsPerCreate,
        double deliveriesPerSecond,
        double microsecondsPerDelivery,
        double megabytes) {

    double milliseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }
}
