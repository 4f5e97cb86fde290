package dev.berth.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One table of all that a run of {@code bench/run} measured. Arguments: the file of {@link Result}s, the page to write
 * it into, between its markers.
 */
public final class Report {
    static final String BEGIN = "<!-- bench/run: begin -->";
    static final String END = "<!-- bench/run: end -->";

    private Report() {}

    public static void main(String[] arguments) throws IOException {
        List<Result> results = new ArrayList<>();
        for (var line : Files.readAllLines(Path.of(arguments[0]))) results.add(Result.read(line));
        var table = table(results);
        System.out.println(table);
        var page = Path.of(arguments[1]);
        Files.writeString(page, between(Files.readString(page), "%s%n%n%s".formatted(Machine.words(), table)));
    }

    static String table(List<Result> results) {
        var table = new StringBuilder(
                "| what | ours | peer | ratio | target | met |\n| --- | --- | --- | --- | --- | --- |\n");
        for (var result : results) {
            table.append("| %s | %s %s | %s | %s | %s | %s |\n"
                    .formatted(
                            result.what(),
                            Result.number(result.ours()),
                            result.unit(),
                            result.theirs() == null
                                    ? ""
                                    : "%s %s (%s)"
                                            .formatted(Result.number(result.theirs()), result.unit(), result.peer()),
                            result.theirs() == null ? "" : Result.number(result.ratio()),
                            result.target() == null ? "" : result.target(),
                            result.met() == null ? "" : result.met() ? "yes" : "**no**"));
        }
        return table.toString();
    }

    /** The page with this in place of what stood between its markers. */
    static String between(String page, String text) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page has no place for the table: %s … %s".formatted(BEGIN, END));
        }
        return page.substring(0, begin + BEGIN.length()) + "\n" + text.strip() + "\n" + page.substring(end);
    }
}
