package dev.berth.simulator.report;

import dev.berth.simulator.HeatMap;
import java.util.Locale;

/** How full the nodes are over time, as SVG: a row for a few nodes, time from left to right. */
final class HeatPlot {
    private static final int LEFT = 90;
    private static final int CELL_WIDTH = 5;
    private static final int CELL_HEIGHT = 5;

    private HeatPlot() {}

    static String svg(HeatMap heat) {
        int rows = heat.labels().size();
        int width = LEFT + CELL_WIDTH * heat.moments();
        int height = CELL_HEIGHT * rows + 4;
        var svg = new StringBuilder(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"nodes over time\">%n".formatted(width, height));
        String last = "";
        for (int row = 0; row < rows; row++) {
            var label = heat.labels().get(row);
            if (!label.equals(last)) {
                svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                        .formatted(LEFT - 6, CELL_HEIGHT * row + 10, HtmlReport.escaped(label)));
                last = label;
            }
            row(svg, heat, row);
        }
        return svg.append("</svg>\n").toString();
    }

    /** Neighbours of one colour are one rectangle. */
    private static void row(StringBuilder svg, HeatMap heat, int row) {
        int from = 0;
        for (int moment = 1; moment <= heat.moments(); moment++) {
            if (moment == heat.moments() || shade(heat, row, moment) != shade(heat, row, from)) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"hsl(%d 80%% %d%%)\"/>%n",
                        LEFT + CELL_WIDTH * from,
                        CELL_HEIGHT * row,
                        CELL_WIDTH * (moment - from),
                        CELL_HEIGHT,
                        220 - 2 * shade(heat, row, from),
                        90 - shade(heat, row, from) / 2));
                from = moment;
            }
        }
    }

    /** From 0, nothing given out, to 100 in steps of 5. */
    private static int shade(HeatMap heat, int row, int moment) {
        return 5 * (int) Math.round(20 * heat.at(row, moment));
    }
}
