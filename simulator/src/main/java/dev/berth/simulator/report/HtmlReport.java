package dev.berth.simulator.report;

import dev.berth.simulator.Comparison;
import dev.berth.simulator.Outcome;
import dev.berth.simulator.Why;
import dev.berth.web.plot.LinePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** One page that needs nothing else: the figures, and pictures of how they came about. */
final class HtmlReport {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .25rem .8rem; text-align: right; border-bottom: 1px solid #ccc8; }
            th:first-child, td:first-child { text-align: left; } svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
            svg text { fill: currentColor; } svg .grid { stroke: #8884; } figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
            @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } }
            """;

    private HtmlReport() {}

    static String of(Comparison comparison) {
        var page = new StringBuilder();
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>berth simulate</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>berth simulate</h1>\n");
        var trace = comparison.trace();
        page.append("<p>%d nodes with %d GPUs; pods arrive until they have asked for %.0f %% of them; %d seeds.</p>%n"
                .formatted(
                        trace.machines().size(),
                        trace.cores() / 100,
                        100 * comparison.settings().arrive(),
                        comparison.settings().seeds().size()));
        summary(page, comparison);
        page.append("<figure>")
                .append(curves(
                        "GPUs given out against what was asked for",
                        "given out, %",
                        comparison,
                        Outcome.Look::allocated))
                .append("</figure>\n<figure>")
                .append(curves(
                        "GPUs that are free and of no use to typical pods",
                        "fragmented, %",
                        comparison,
                        Outcome.Look::fragmented))
                .append("</figure>\n");
        reasons(page, comparison);
        seeds(page, comparison);
        comparison
                .outcomes()
                .forEach((policy, runs) -> picture(
                        page,
                        "How full the nodes are over time: %s, seed %d (light: free, dark red: full)"
                                .formatted(escaped(policy), runs.getFirst().seed()),
                        HeatPlot.svg(runs.getFirst().heat())));
        return page.append("</body></html>\n").toString();
    }

    private static void summary(StringBuilder page, Comparison comparison) {
        page.append(
                "<table><tr><th>policy<th>given out<th>worst seed<th>best seed<th>fragmented<th>pods waiting</tr>\n");
        for (var policy : comparison.outcomes().keySet()) {
            page.append("<tr><td>%s<td>%s<td>%s<td>%s<td>%s<td>%.0f</tr>%n"
                    .formatted(
                            escaped(policy),
                            percent(comparison.mean(policy, Outcome::allocated)),
                            percent(comparison.least(policy, Outcome::allocated)),
                            percent(comparison.most(policy, Outcome::allocated)),
                            percent(comparison.mean(
                                    policy, run -> run.looks().getLast().fragmented())),
                            comparison.mean(policy, Outcome::waiting)));
        }
        page.append("</table>\n");
    }

    /** One curve a policy: the mean of all seeds at each look. */
    private static String curves(
            String title, String up, Comparison comparison, ToDoubleFunction<Outcome.Look> figure) {
        List<LinePlot.Line> lines = new ArrayList<>();
        comparison.outcomes().forEach((policy, runs) -> {
            int looks = runs.stream().mapToInt(run -> run.looks().size()).min().orElse(0);
            List<LinePlot.Point> points = new ArrayList<>();
            for (int number = 0; number < looks; number++) {
                int look = number;
                points.add(new LinePlot.Point(
                        100 * mean(runs, run -> run.looks().get(look).asked()),
                        100 * mean(runs, run -> figure.applyAsDouble(run.looks().get(look)))));
            }
            lines.add(new LinePlot.Line(policy, points));
        });
        return new LinePlot(title, "asked for, %", up, lines).svg();
    }

    private static double mean(List<Outcome> runs, ToDoubleFunction<Outcome> figure) {
        return runs.stream().mapToDouble(figure).average().orElse(0);
    }

    private static void reasons(StringBuilder page, Comparison comparison) {
        page.append("<figure><figcaption>Why pods wait (mean of all seeds)</figcaption>\n<table><tr><th>policy");
        for (var why : Why.values()) {
            page.append("<th>").append(why.words());
        }
        page.append("</tr>\n");
        for (var policy : comparison.outcomes().keySet()) {
            page.append("<tr><td>").append(escaped(policy));
            var reasons = comparison.reasons(policy);
            for (var why : Why.values()) {
                page.append("<td>%.0f".formatted(reasons.getOrDefault(why, 0.0)));
            }
            page.append("</tr>\n");
        }
        page.append("</table>").append(ReasonBars.svg(comparison)).append("</figure>\n");
    }

    private static void seeds(StringBuilder page, Comparison comparison) {
        page.append("<figure><figcaption>Given out, seed by seed</figcaption>\n<table><tr><th>seed");
        comparison.outcomes().keySet().forEach(policy -> page.append("<th>").append(escaped(policy)));
        page.append("</tr>\n");
        var seeds = comparison.settings().seeds();
        for (int place = 0; place < seeds.size(); place++) {
            page.append("<tr><td>").append(seeds.get(place));
            for (var runs : comparison.outcomes().values()) {
                page.append("<td>").append(percent(runs.get(place).allocated()));
            }
            page.append("</tr>\n");
        }
        page.append("</table></figure>\n");
    }

    private static void picture(StringBuilder page, String caption, String svg) {
        page.append("<figure><figcaption>%s</figcaption>%n%s</figure>%n".formatted(caption, svg));
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * part);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
