package dev.berth.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One figure of a benchmark, as {@code bench/run} collects them: a line of JSON in the file that {@code BENCH_RESULTS}
 * names, where it names one.
 *
 * @param peer who was measured beside it, in the same run
 * @param theirs his figure
 * @param target what was promised, in words
 * @param met whether it is kept; nobody promised anything where it is missing
 */
public record Result(
        String what,
        String unit,
        double ours,
        @Nullable String peer,
        @Nullable Double theirs,
        @Nullable String target,
        @Nullable Boolean met) {
    private static final JsonMapper JSON = new JsonMapper();

    public static Result of(String what, String unit, double ours) {
        return new Result(what, unit, ours, null, null, null, null);
    }

    static Result read(String line) throws JsonProcessingException {
        return JSON.readValue(line, Result.class);
    }

    public Result beside(String name, double value) {
        return new Result(what, unit, ours, name, value, target, met);
    }

    public Result atLeast(double least) {
        return judged("at least %s %s".formatted(number(least), unit), ours >= least);
    }

    public Result atMost(double most) {
        return judged("at most %s %s".formatted(number(most), unit), ours <= most);
    }

    /** Ours must be so many times the peer's. */
    public Result timesAtLeast(double ratio) {
        return judged("at least %s times".formatted(number(ratio)), ratio() >= ratio);
    }

    public Result judged(String promise, boolean kept) {
        return new Result(what, unit, ours, peer, theirs, promise, kept);
    }

    /** Ours by the peer's; not a number where there is no peer. */
    double ratio() {
        return theirs == null ? Double.NaN : ours / theirs;
    }

    /** Three digits that mean something, and none behind the point for large ones. */
    static String number(double value) {
        double size = Math.abs(value);
        var pattern = value == Math.rint(value) || size >= 100
                ? "%,.0f"
                : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, pattern, value);
    }

    /** Writes it down for whoever collects; nothing happens where nobody does. */
    public void tell() {
        var file = System.getenv("BENCH_RESULTS");
        if (file != null) appendTo(Path.of(file));
    }

    void appendTo(Path file) {
        try {
            Files.writeString(
                    file, JSON.writeValueAsString(this) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
