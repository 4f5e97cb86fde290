package dev.berth.bench.door;

import dev.berth.bench.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A number of calls that were timed together.
 *
 * @param latencies of single calls, in microseconds
 * @param doorMicros the door's processor time for each call
 * @param serverMicros that of the API server and etcd
 * @param clientMicros the caller's own
 */
record Stretch(double perSecond, Histogram latencies, double doorMicros, double serverMicros, double clientMicros) {
    @FunctionalInterface
    interface Calls {
        Histogram make() throws IOException, InterruptedException;
    }

    /** @param door none where the calls go to the API server itself */
    static Stretch time(int count, List<Target> door, Target server, Calls calls)
            throws IOException, InterruptedException {
        double doorBefore = processorSeconds(door);
        double serverBefore = server.processorSeconds();
        double clientBefore = ownSeconds();
        long start = System.nanoTime();
        Histogram latencies = calls.make();
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Stretch(
                count / seconds,
                latencies,
                (processorSeconds(door) - doorBefore) * 1e6 / count,
                (server.processorSeconds() - serverBefore) * 1e6 / count,
                (ownSeconds() - clientBefore) * 1e6 / count);
    }

    private static double processorSeconds(List<Target> targets) {
        return targets.stream().mapToDouble(Target::processorSeconds).sum();
    }

    private static double ownSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    double milliseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1000.0;
    }

    String words() {
        return "%7.0f a second, p50 %6.2f ms, p99 %7.2f ms; CPU µs each: door %5.0f, API server %5.0f, client %5.0f"
                .formatted(perSecond, milliseconds(50), milliseconds(99), doorMicros, serverMicros, clientMicros);
    }
}
