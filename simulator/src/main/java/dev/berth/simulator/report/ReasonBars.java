package dev.berth.simulator.report;

import dev.berth.simulator.Comparison;
import dev.berth.simulator.Why;
import dev.berth.web.plot.LinePlot;
import java.util.List;
import java.util.Locale;

/** The waiting pods of each policy as a bar, parted by reason, as SVG. */
final class ReasonBars {
    private static final int LEFT = 120;
    private static final int WIDTH = 760;
    private static final int BAR = 18;
    private static final int STEP = 26;

    private ReasonBars() {}

    static String svg(Comparison comparison) {
        double most = comparison.outcomes().keySet().stream()
                .mapToDouble(policy -> comparison.reasons(policy).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum())
                .max()
                .orElse(1);
        int bars = comparison.outcomes().size();
        int height = STEP * bars + 20 * Why.values().length + 10;
        var svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"why pods wait\">%n".formatted(WIDTH, height));
        int place = 0;
        for (var policy : comparison.outcomes().keySet()) {
            svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                    .formatted(LEFT - 8, STEP * place + 14, HtmlReport.escaped(policy)));
            double from = LEFT;
            for (var reason : comparison.reasons(policy).entrySet()) {
                double wide = (WIDTH - LEFT - 10) * reason.getValue() / Math.max(1, most);
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        from,
                        STEP * place,
                        wide,
                        BAR,
                        colour(reason.getKey())));
                from += wide;
            }
            place++;
        }
        int y = STEP * bars - 12;
        for (var why : Why.values()) {
            y += 20;
            svg.append(
                    "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>%n"
                            .formatted(LEFT, y, colour(why), LEFT + 18, y + 10, why.words()));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String colour(Why why) {
        return LinePlot.COLOURS.get(List.of(Why.values()).indexOf(why));
    }
}
