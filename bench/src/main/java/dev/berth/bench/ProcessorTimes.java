package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What all processors of this machine did since it was started, in ticks. */
public record ProcessorTimes(long busy, long all) {
    /** Where the fields of the first line of /proc/stat tell of waiting. */
    private static final int IDLE = 3;

    private static final int WAITING_FOR_DISK = 4;

    public static ProcessorTimes now() throws IOException {
        return read(Files.readString(Path.of("/proc/stat")));
    }

    static ProcessorTimes read(String stat) {
        var line = stat.lines().findFirst().orElseThrow();
        long[] ticks = Stream.of(line.substring("cpu".length()).strip().split(" +", -1))
                .mapToLong(Long::parseLong)
                .limit(8)
                .toArray();
        long all = 0;
        for (long each : ticks) all += each;
        return new ProcessorTimes(all - ticks[IDLE] - ticks[WAITING_FOR_DISK], all);
    }

    /** The part of the time since then in which they were busy. */
    public double since(ProcessorTimes before) {
        return (double) (busy - before.busy) / Math.max(1, all - before.all);
    }
}
