package dev.berth.simulator.report;

import dev.berth.simulator.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes all forms of a report into a folder. */
public final class ReportFiles {
    private ReportFiles() {}

    /** @return what was written */
    public static List<Path> write(Comparison comparison, Path folder) throws IOException {
        Files.createDirectories(folder);
        var runs = folder.resolve("runs.csv");
        var looks = folder.resolve("looks.csv");
        var json = folder.resolve("simulation.json");
        var page = folder.resolve("report.html");
        Files.writeString(runs, CsvReport.runs(comparison));
        Files.writeString(looks, CsvReport.looks(comparison));
        Files.writeString(json, JsonReport.of(comparison));
        Files.writeString(page, HtmlReport.of(comparison));
        return List.of(runs, looks, json, page);
    }
}
