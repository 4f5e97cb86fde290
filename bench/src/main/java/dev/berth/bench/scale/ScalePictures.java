package dev.berth.bench.scale;

import dev.berth.web.plot.LinePlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What grows with the cluster, and how. */
final class ScalePictures {
    private ScalePictures() {}

    static void draw(List<ScaleRow> rows, Path folder) throws IOException {
        Files.createDirectories(folder);
        write(folder, "scale-decision.svg", "A decision, end to end", "ms (p50)", rows, ScaleRow::p50);
        write(folder, "scale-memory.svg", "Memory of an idle door", "MiB resident", rows, ScaleRow::idle);
    }

    private static void write(
            Path folder, String file, String title, String axis, List<ScaleRow> rows, ToDoubleFunction<ScaleRow> figure)
            throws IOException {
        var points = new LinkedHashMap<String, List<LinePlot.Point>>();
        for (var row : rows) {
            if (row.whole()) {
                points.computeIfAbsent(row.door(), _ -> new ArrayList<>())
                        .add(new LinePlot.Point(row.nodes(), figure.applyAsDouble(row)));
            }
        }
        if (points.isEmpty()) return;
        var lines = points.entrySet().stream()
                .map(line -> new LinePlot.Line(line.getKey(), line.getValue()))
                .toList();
        Files.writeString(folder.resolve(file), new LinePlot(title, "nodes, with 10 pods each", axis, lines).svg());
    }
}
