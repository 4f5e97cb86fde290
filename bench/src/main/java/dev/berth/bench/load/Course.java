package dev.berth.bench.load;

import dev.berth.bench.Result;
import java.io.IOException;
import java.util.List;

/**
 * What a door did under a long load.
 *
 * @param most what it can do, in questions a second
 * @param before MiB of live heap when it began
 * @param after the same when it was over
 * @param failures questions without an answer, or without a yes
 */
record Course(String door, double most, List<Sample> samples, double before, double after, long failures) {
    static final String HEAD =
            "| door | maximum a second | load a second | p50 ms | p99 ms | p99.9 ms | cores | MiB resident | MiB live heap | p99's trend, ms | failed | verdict |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";
    private static final double MORE = 1.1;
    private static final double MORE_MEGABYTES = 5;

    void tell(double minutes) throws IOException {
        System.out.printf("%s: %s%n", door, all().words());
        System.out.printf("  resident memory  %s%n", memory().words("MiB"));
        System.out.printf("  p99              %s%n", slowest().words("ms"));
        System.out.printf("  live heap        %.1f to %.1f MiB; %d questions failed%n", before, after, failures);
        Result.of("load: %s, memory's rise in %.0f min".formatted(door, minutes), "MiB", memory().rise())
                .judged("flat", flat() && failures == 0)
                .tell();
    }

    String row() {
        var all = all();
        return "| %s | %.0f | %.1f | %.2f | %.2f | %.2f | %.2f | %.0f to %.0f | %.1f to %.1f | %.1f to %.1f | %d | %s |"
                .formatted(
                        door,
                        most,
                        all.perSecond(),
                        all.milliseconds(50),
                        all.milliseconds(99),
                        all.milliseconds(99.9),
                        all.cores(),
                        memory().first(),
                        memory().last(),
                        before,
                        after,
                        slowest().first(),
                        slowest().last(),
                        failures,
                        flat() ? "flat" : "drifts");
    }

    /** Whether the second half is: in the first a heap grows by steps until it is as large as the load wants it. */
    private boolean flat() {
        var settled =
                new Course(door, most, samples.subList(samples.size() / 2, samples.size()), before, after, failures);
        return !settled.memory().drifts() && !settled.slowest().drifts() && after < MORE * before + MORE_MEGABYTES;
    }

    private Sample all() {
        return Sample.of(samples);
    }

    private Trend memory() {
        return Trend.of(samples.stream().map(Sample::megabytes).toList());
    }

    private Trend slowest() {
        return Trend.of(samples.stream().map(sample -> sample.milliseconds(99)).toList());
    }
}
