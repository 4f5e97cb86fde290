package dev.berth.simulator;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Rows under a line of headings, separated by commas; every complaint names file and line. */
final class CsvTable {
    private final Path file;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();

    private CsvTable(Path file) {
        this.file = file;
    }

    static CsvTable read(Path file, List<String> needed) throws IOException {
        TraceReader.check(file);
        var table = new CsvTable(file);
        var lines = lines(file);
        if (lines.isEmpty()) {
            throw new BadTraceException(file, 1, "the file is empty; its first line names the columns");
        }
        var headings = lines.getFirst().split(",", -1);
        for (int column = 0; column < headings.length; column++) {
            table.columns.put(headings[column].strip(), column);
        }
        for (var name : needed) {
            if (!table.columns.containsKey(name)) {
                throw new BadTraceException(file, 1, "there is no column " + name);
            }
        }
        for (int line = 1; line < lines.size(); line++) {
            if (!lines.get(line).isBlank()) {
                table.add(line + 1, lines.get(line).split(",", -1), headings.length);
            }
        }
        return table;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (MalformedInputException notText) {
            throw new BadTraceException(file, "is not a text file");
        }
    }

    private void add(int line, String[] cells, int wanted) {
        if (cells.length != wanted) {
            throw new BadTraceException(file, line, "%d cells under %d headings".formatted(cells.length, wanted));
        }
        rows.add(new Row(line, List.of(cells)));
    }

    Stream<Row> rows() {
        return rows.stream();
    }

    /** One line. */
    final class Row {
        private final int line;
        private final List<String> cells;

        private Row(int line, List<String> cells) {
            this.line = line;
            this.cells = cells;
        }

        /** Empty where there is no such column. */
        String text(String column) {
            var place = columns.get(column);
            return place == null ? "" : cells.get(place).strip();
        }

        long number(String column) {
            return number(column, Long.MAX_VALUE);
        }

        long number(String column, long most) {
            var written = text(column);
            try {
                // Some exports write whole numbers as 12.0.
                long value =
                        Long.parseLong(written.endsWith(".0") ? written.substring(0, written.length() - 2) : written);
                if (value >= 0 && value <= most) {
                    return value;
                }
            } catch (NumberFormatException notANumber) {
                // Said below, as for a number out of range.
            }
            throw bad("%s is a whole number%s, not '%s'"
                    .formatted(column, most == Long.MAX_VALUE ? " from 0" : " from 0 to " + most, written));
        }

        BadTraceException bad(String problem) {
            return new BadTraceException(file, line, problem);
        }
    }
}
