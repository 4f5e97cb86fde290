package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alerts ask for metrics and labels that running processes expose, and for no others. */
class DashboardAndAlertsTest {
    private static final Path ROOT = Path.of("..");
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{ *([a-zA-Z_]+) *}}");
    private static final Pattern ANNOTATION = Pattern.compile("\\$labels\\.([a-zA-Z_]+)");
    private static final Pattern HEADING = Pattern.compile("(?m)^## (Berth[A-Za-z]+)$");

    /**
     * One expression, and where it stands.
     *
     * @param shown the labels that its legend or its words name
     */
    private record Asked(String where, String expression, Set<String> shown) {}

    @TempDir
    private static Path folder = Path.of(".");

    private static EveryProcess every;
    private static ExposedMetrics exposed;

    @BeforeAll
    static void open() throws Exception {
        every = new EveryProcess(folder);
        exposed = ExposedMetrics.of(every);
    }

    @AfterAll
    static void close() {
        every.close();
    }

    @Test
    void whatIsScrapedIsWhatIsDescribed() {
        assertThat(exposed.problems()).isEmpty();
    }

    @Test
    void theDashboardAsksForWhatThereIs() throws IOException {
        var asked = dashboard();

        assertThat(asked).hasSizeGreaterThan(40);
        assertThat(problems(asked)).isEmpty();
    }

    @Test
    void theAlertsAskForWhatThereIs() throws IOException {
        var asked = new ArrayList<Asked>();
        for (var rule : rules()) {
            asked.add(new Asked(
                    rule.path("alert").asText(),
                    rule.path("expr").asText(),
                    found(ANNOTATION, rule.path("annotations").toString())));
        }

        assertThat(asked).hasSizeGreaterThan(15);
        assertThat(problems(asked)).isEmpty();
    }

    @Test
    void theDashboardIsReadyToBeImported() throws IOException {
        var dashboard = new ObjectMapper()
                .readTree(ROOT.resolve("dashboards/berth.json").toFile());
        var ids = new ArrayList<Integer>();
        dashboard.path("panels").forEach(panel -> ids.add(panel.path("id").asInt()));

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(dashboard.findValues("uid")).extracting(JsonNode::asText).containsOnly("berth", "${datasource}");
        assertThat(dashboard.at("/templating/list/0/type").asText()).isEqualTo("datasource");
    }

    @Test
    void everyAlertHasWordsAndAChapterInTheHandbookAndTheOtherWayRound() throws IOException {
        var handbook = Files.readString(ROOT.resolve("docs/alerts.md"));
        var names = new ArrayList<String>();
        for (var rule : rules()) {
            var name = rule.path("alert").asText();
            names.add(name);
            assertThat(rule.at("/annotations/summary").asText()).as(name).isNotBlank();
            assertThat(rule.at("/annotations/description").asText()).as(name).isNotBlank();
            assertThat(rule.at("/labels/severity").asText()).as(name).isIn("critical", "warning", "info");
            assertThat(rule.at("/annotations/runbook_url").asText())
                    .isEqualTo("docs/alerts.md#" + name.toLowerCase(Locale.ROOT));
        }

        assertThat(HEADING.matcher(handbook).results().map(heading -> heading.group(1)))
                .containsExactlyElementsOf(names);
    }

    @Test
    void anExpressionThatAsksForSomethingElseIsFound() {
        var asked = List.of(
                new Asked("a", "sum by (door) (rate(berth_schedule_attempt_total[5m]))", Set.of()),
                new Asked("b", "berth_leader{pod=\"x\"}", Set.of()),
                new Asked("c", "sum by (node) (berth_leader)", Set.of()),
                new Asked("d", "berth_scheduling_attempt_duration_seconds{le=\"1\"}", Set.of()),
                new Asked("e", "sum by (door) (berth_leader)", Set.of("instance")));

        assertThat(problems(asked))
                .containsExactly(
                        "a: there is no metric berth_schedule_attempt_total",
                        "b: berth_leader has no label pod",
                        "c: none of [berth_leader] has the label node",
                        "d: there is no metric berth_scheduling_attempt_duration_seconds",
                        "e: the label instance is summed away");
        assertThatThrownBy(() -> PromQuery.parse("sum(rate(up[5m])"))
                .hasMessage("a bracket stays open in: sum(rate(up[5m])");
        assertThatThrownBy(() -> PromQuery.parse("rat(up[5m])"))
                .hasMessage("no function is called rat in: rat(up[5m])");
    }

    private static List<String> problems(List<Asked> all) {
        var problems = new ArrayList<String>();
        for (var asked : all) {
            var query = PromQuery.parse(asked.expression());
            var labels = new HashSet<>(OF_THE_TARGET);
            query.metrics().forEach((metric, selected) -> {
                var known = exposed.labels().get(metric);
                if (known == null) {
                    problems.add("%s: there is no metric %s".formatted(asked.where(), metric));
                    return;
                }
                labels.addAll(known);
                selected.stream()
                        .filter(label -> !known.contains(label) && !OF_THE_TARGET.contains(label))
                        .forEach(label ->
                                problems.add("%s: %s has no label %s".formatted(asked.where(), metric, label)));
            });
            if (!exposed.labels().keySet().containsAll(query.metrics().keySet())) continue;
            query.grouped().stream()
                    .filter(label -> !labels.contains(label))
                    .forEach(label -> problems.add("%s: none of %s has the label %s"
                            .formatted(asked.where(), query.metrics().keySet(), label)));
            var left = query.grouped().isEmpty() ? labels : query.grouped();
            asked.shown().stream()
                    .filter(label -> !left.contains(label))
                    .forEach(label -> problems.add("%s: the label %s is summed away".formatted(asked.where(), label)));
        }
        return problems;
    }

    private static List<Asked> dashboard() throws IOException {
        var dashboard = new ObjectMapper()
                .readTree(ROOT.resolve("dashboards/berth.json").toFile());
        var all = new ArrayList<Asked>();
        for (var panel : dashboard.path("panels")) {
            for (var target : panel.path("targets")) {
                all.add(new Asked(
                        panel.path("title").asText(),
                        target.path("expr").asText(),
                        found(LEGEND, target.path("legendFormat").asText())));
            }
        }
        return all;
    }

    private static List<JsonNode> rules() throws IOException {
        var file = new ObjectMapper(new YAMLFactory())
                .readTree(ROOT.resolve("alerts/berth.rules.yaml").toFile());
        var rules = new ArrayList<JsonNode>();
        file.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    private static Set<String> found(Pattern pattern, String text) {
        var found = new TreeSet<String>();
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }
}
