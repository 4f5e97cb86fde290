package dev.berth.simulator;

import dev.berth.core.share.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** Writes traces in the columns that {@link TraceReader} reads. */
public final class TraceWriter {
    private TraceWriter() {}

    /** @return the two files: nodes, pods */
    public static List<Path> write(Trace trace, Path folder) throws IOException {
        Files.createDirectories(folder);
        var nodes = folder.resolve("nodes.csv");
        var pods = folder.resolve("pods.csv");
        Files.writeString(nodes, nodes(trace));
        Files.writeString(pods, pods(trace));
        return List.of(nodes, pods);
    }

    private static String nodes(Trace trace) {
        var text = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
        for (var machine : trace.machines()) {
            text.append("%s,%d,%d,%d,%s%n"
                    .formatted(machine.name(), machine.cpu(), machine.memory(), machine.gpus(), machine.model()));
        }
        return text.toString();
    }

    private static String pods(Trace trace) {
        var text =
                new StringBuilder("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time\n");
        for (var task : trace.tasks()) {
            var slice = task.parcel().slice();
            long gpus = slice.exclusive() ? slice.gpus() : Math.min(1, slice.cores());
            long milli = slice.exclusive() ? 1000 : 1000 / Slice.WHOLE * slice.cores();
            text.append("%s,%d,%d,%d,%d,%s,%s,%s%n"
                    .formatted(
                            task.name(),
                            task.parcel().cpu(),
                            task.memory(),
                            gpus,
                            milli,
                            String.join("|", new TreeSet<>(task.parcel().models())),
                            task.span().map(span -> Long.toString(span.from())).orElse(""),
                            task.span().map(span -> Long.toString(span.to())).orElse("")));
        }
        return text.toString();
    }
}
