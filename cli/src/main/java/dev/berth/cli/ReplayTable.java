package dev.berth.cli;

import dev.berth.simulator.Timetable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What came of replays, a line each. */
final class ReplayTable {
    private final List<Timetable> timetables = new ArrayList<>();

    void add(Timetable timetable) {
        timetables.add(timetable);
    }

    int size() {
        return timetables.size();
    }

    void print(PrintWriter out) {
        var table = new TextTable(
                "POLICY",
                "SEED",
                "MEAN WAIT",
                "MEDIAN",
                "95 %",
                "LONGEST",
                "WAITED",
                "QUEUE",
                "NEVER",
                "MAKESPAN",
                "GIVEN OUT");
        for (var each : timetables) {
            table.row(
                    each.policy(),
                    Long.toString(each.seed()),
                    seconds(each.meanWait()),
                    seconds(each.waitOf(0.5)),
                    seconds(each.waitOf(0.95)),
                    seconds(each.waitOf(1)),
                    Long.toString(each.waited()),
                    Integer.toString(each.longestQueue()),
                    Integer.toString(each.never()),
                    seconds(each.seconds()),
                    "%.2f %%".formatted(100 * each.allocated()));
        }
        table.print(out);
    }

    Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var text = new StringBuilder("policy,seed,mean_wait,median_wait,p95_wait,longest_wait,waited,longest_queue,"
                + "never,makespan,allocated\n");
        for (var each : timetables) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%d,%.1f,%.1f,%.1f,%.1f,%d,%d,%d,%.1f,%.6f%n",
                    each.policy(),
                    each.seed(),
                    each.meanWait(),
                    each.waitOf(0.5),
                    each.waitOf(0.95),
                    each.waitOf(1),
                    each.waited(),
                    each.longestQueue(),
                    each.never(),
                    each.seconds(),
                    each.allocated()));
        }
        return Files.writeString(folder.resolve("replay.csv"), text);
    }

    private static String seconds(double seconds) {
        return "%.0f s".formatted(seconds);
    }
}
