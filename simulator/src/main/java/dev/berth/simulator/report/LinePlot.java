package dev.berth.simulator.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Curves over the part of the cluster that was asked for, as SVG; both axes in per cent. */
final class LinePlot {
    static final List<String> COLOURS = List.of(
            "#0b6bcb", "#c2410c", "#15803d", "#7e22ce", "#b91c1c", "#0e7490", "#a16207", "#475569", "#be185d",
            "#4d7c0f");

    private static final int WIDTH = 760;
    private static final int HEIGHT = 340;
    private static final int LEFT = 52;
    private static final int RIGHT = 150;
    private static final int TOP = 14;
    private static final int BOTTOM = 44;
    private static final int TICKS = 5;

    private final String across;
    private final String up;
    private final Map<String, List<Point>> curves = new LinkedHashMap<>();

    /** Both from 0, as parts. */
    record Point(double x, double y) {}

    LinePlot(String across, String up) {
        this.across = across;
        this.up = up;
    }

    void curve(String name, List<Point> points) {
        curves.put(name, List.copyOf(points));
    }

    String svg() {
        double mostX = most(true);
        double mostY = most(false);
        var svg = new StringBuilder();
        svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s against %s\">%n"
                .formatted(WIDTH, HEIGHT, up, across));
        axes(svg, mostX, mostY);
        int number = 0;
        for (var curve : curves.entrySet()) {
            var colour = COLOURS.get(number % COLOURS.size());
            svg.append("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" points=\"".formatted(colour));
            for (var point : curve.getValue()) {
                svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x(), mostX), y(point.y(), mostY)));
            }
            svg.append("\"/>\n<text x=\"%d\" y=\"%d\" style=\"fill:%s\">%s</text>%n"
                    .formatted(WIDTH - RIGHT + 12, TOP + 14 + 18 * number, colour, curve.getKey()));
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg, double mostX, double mostY) {
        for (int tick = 0; tick <= TICKS; tick++) {
            double partX = mostX * tick / TICKS;
            double partY = mostY * tick / TICKS;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y(partY, mostY),
                    y(partY, mostY)));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>%n",
                    LEFT - 6,
                    y(partY, mostY) + 4,
                    100 * partY));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f %%</text>%n",
                    x(partX, mostX),
                    HEIGHT - BOTTOM + 18,
                    100 * partX));
        }
        svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n"
                .formatted((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, across));
    }

    private double most(boolean ofX) {
        double most = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(point -> ofX ? point.x() : point.y())
                .max()
                .orElse(1);
        return most <= 0 ? 1 : most;
    }

    private static double x(double part, double most) {
        return LEFT + (WIDTH - LEFT - RIGHT) * part / most;
    }

    private static double y(double part, double most) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part / most;
    }
}
