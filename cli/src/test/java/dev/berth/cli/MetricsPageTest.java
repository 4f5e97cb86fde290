package dev.berth.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.health.MetricDescription;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The handbook's table of metrics is what the processes register. {@code -Dberth.rewrite=true} writes it anew:
 * {@code mvn -pl cli -am test -Dtest=MetricsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Dberth.rewrite=true}.
 */
class MetricsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");
    private static final String BEGIN = "<!-- the table: written by MetricsPageTest, not by hand -->\n";
    private static final String END = "<!-- the end of the table -->\n";

    @TempDir
    private Path folder = Path.of(".");

    @Test
    void theTableTellsOfEveryMetricOfEveryProcess() throws Exception {
        String table;
        try (var every = new EveryProcess(folder)) {
            table = table(every);
        }
        var page = Files.readString(PAGE);

        if (Boolean.getBoolean("berth.rewrite")) {
            Files.writeString(PAGE, replaced(page, table));
        } else {
            assertThat(page)
                    .as("docs/metrics.md; -Dberth.rewrite=true writes it anew")
                    .isEqualTo(replaced(page, table));
        }
    }

    private static String replaced(String page, String table) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).as("where the table begins").isNotNegative().isLessThan(end);
        return page.substring(0, begin + BEGIN.length()) + table + page.substring(end);
    }

    /** Which processes have it, of those that mean the same by it. */
    private static String table(EveryProcess every) {
        Map<String, Map<MetricDescription, List<String>>> byName = new TreeMap<>();
        every.processes()
                .forEach((name, process) -> process.metrics()
                        .described()
                        .forEach(metric -> byName.computeIfAbsent(metric.name(), _ -> new LinkedHashMap<>())
                                .computeIfAbsent(metric, _ -> new ArrayList<>())
                                .add(name)));
        var rows = new StringBuilder("""
                | metric | type | labels | processes | meaning |
                | --- | --- | --- | --- | --- |
                """);
        byName.values()
                .forEach(meanings -> meanings.forEach((metric, names) ->
                        rows.append(row(metric, names, every.processes().size()))));
        return rows.toString();
    }

    private static String row(MetricDescription metric, List<String> names, int all) {
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(
                        metric.name(),
                        metric.type(),
                        metric.labels().stream().map("`%s`"::formatted).collect(joining(", ")),
                        names.size() == all ? "all" : String.join(", ", names),
                        metric.help().replace("|", "\\|"));
    }
}
