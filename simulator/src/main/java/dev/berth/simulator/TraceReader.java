package dev.berth.simulator;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads traces in the columns of Alibaba's GPU cluster trace of 2023. */
public final class TraceReader {
    /** So many has a node at most. */
    static final int MOST_GPUS = 1024;

    private static final int MILLI = 1000;
    private static final int MILLI_A_CORE = MILLI / Slice.WHOLE;

    private TraceReader() {}

    public static Trace read(Path nodes, Path pods) throws IOException {
        return new Trace(machines(nodes), tasks(pods));
    }

    /** Columns {@code sn, cpu_milli, memory_mib, gpu, model}. */
    public static List<Machine> machines(Path file) throws IOException {
        var table = CsvTable.read(file, List.of("sn", "cpu_milli", "memory_mib", "gpu", "model"));
        var names = new HashSet<String>();
        return table.rows().map(row -> machine(row, names)).toList();
    }

    private static Machine machine(CsvTable.Row row, Set<String> names) {
        var name = row.text("sn");
        if (name.isEmpty() || !names.add(name)) {
            throw row.bad(name.isEmpty() ? "a node has no name" : "a second node is called " + name);
        }
        return new Machine(
                name,
                row.number("cpu_milli"),
                row.number("memory_mib"),
                Math.toIntExact(row.number("gpu", MOST_GPUS)),
                row.text("model"));
    }

    /**
     * Columns {@code name, cpu_milli, memory_mib, num_gpu, gpu_milli}, and where there are any {@code gpu_spec,
     * creation_time, deletion_time}.
     */
    public static List<Task> tasks(Path file) throws IOException {
        var table = CsvTable.read(file, List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"));
        return table.rows().map(TraceReader::task).toList();
    }

    private static Task task(CsvTable.Row row) {
        return new Task(
                row.text("name"),
                new Parcel(slice(row), row.number("cpu_milli"), models(row.text("gpu_spec"))),
                row.number("memory_mib"),
                span(row));
    }

    private static Slice slice(CsvTable.Row row) {
        long gpus = row.number("num_gpu", MOST_GPUS);
        long milli = row.number("gpu_milli", MILLI);
        if (gpus == 0) {
            return new Slice(0, 0);
        }
        if (milli == 0) {
            throw row.bad("a pod with GPUs has a gpu_milli from 1 to 1000, not 0");
        }
        if (milli == MILLI) {
            return new Slice(gpus * Slice.WHOLE, 0);
        }
        if (gpus > 1) {
            throw row.bad("parts of %d GPUs: a pod shares one GPU, or has whole ones".formatted(gpus));
        }
        // A device is given out in hundredths; what asks for less of the next one gets it whole.
        return new Slice((milli + MILLI_A_CORE - 1) / MILLI_A_CORE, 0);
    }

    private static Set<String> models(String spec) {
        return spec.isEmpty() ? Set.of() : new HashSet<>(Arrays.asList(spec.split("\\|", -1)));
    }

    private static Optional<Task.Span> span(CsvTable.Row row) {
        if (row.text("creation_time").isEmpty() || row.text("deletion_time").isEmpty()) {
            return Optional.empty();
        }
        long from = row.number("creation_time");
        long to = row.number("deletion_time");
        if (to < from) {
            throw row.bad("it is deleted (%d) before it is created (%d)".formatted(to, from));
        }
        return Optional.of(new Task.Span(from, to));
    }

    /** Whether this file can be read at all, said before anything is run. */
    static void check(Path file) {
        if (!Files.isReadable(file)) {
            throw new BadTraceException(file, "cannot be read");
        }
    }
}
