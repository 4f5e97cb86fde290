package dev.berth.web.plot;

import java.util.List;
import java.util.Locale;

/**
 * Lines over a common axis, as one SVG document that needs nothing else, or as part of a page; light or dark as its
 * reader wants it.
 */
public record LinePlot(String title, String xAxis, String yAxis, List<Line> lines) {
    private static final int WIDTH = 780;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 190;
    private static final int TOP = 44;
    private static final int BOTTOM = 52;
    private static final int TICKS = 5;
    /** Told apart by people who see few colours, too (Okabe and Ito). */
    public static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#888888");

    /** A line; its points are in the order of x. */
    public record Line(String name, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    public record Point(double x, double y) {}

    public LinePlot {
        lines = List.copyOf(lines);
        if (lines.isEmpty() || lines.stream().anyMatch(line -> line.points().isEmpty())) {
            throw new IllegalArgumentException("a plot needs lines, and a line needs points");
        }
    }

    public String svg() {
        double right = niceEnd(most(true));
        double top = niceEnd(most(false));
        var svg = new StringBuilder(8192);
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="13">
                <title>%s</title>
                <style>.plot text { fill: #222; } @media (prefers-color-scheme: dark) { .plot text { fill: #e6e6e6; } }</style>
                <text x="%d" y="26" font-size="16">%s</text>
                """.formatted(WIDTH, HEIGHT, text(title), LEFT, text(title)));
        for (int i = 0; i <= TICKS; i++) {
            tick(svg, right * i / TICKS, right, top * i / TICKS, top);
        }
        svg.append(line("<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                .formatted(x(right / 2, right), HEIGHT - 12, text(xAxis))));
        svg.append(line("<text transform=\"translate(16 %s) rotate(-90)\" text-anchor=\"middle\">%s</text>"
                .formatted(y(top / 2, top), text(yAxis))));
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, lines.get(i), COLOURS.get(i % COLOURS.size()), i, right, top);
        }
        return svg.append("</svg>\n").toString();
    }

    private double most(boolean ofX) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> ofX ? point.x() : point.y())
                .max()
                .orElse(1);
    }

    /** The first of 1, 2, 2.5, 5 and 10 times a power of ten that nothing exceeds. */
    private static double niceEnd(double most) {
        if (!(most > 0)) return 1;
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        for (double step : new double[] {1, 2, 2.5, 5}) {
            if (step * power >= most) return step * power;
        }
        return 10 * power;
    }

    private static void tick(StringBuilder svg, double x, double right, double y, double top) {
        svg.append(line("<line x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\" stroke=\"#8886\"/>"
                .formatted(LEFT, WIDTH - RIGHT, y(y, top), y(y, top))));
        svg.append(line("<text x=\"%d\" y=\"%s\" text-anchor=\"end\" dominant-baseline=\"middle\">%s</text>"
                .formatted(LEFT - 8, y(y, top), number(y))));
        svg.append(line("<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>"
                .formatted(x(x, right), HEIGHT - BOTTOM + 18, number(x))));
    }

    private static void draw(StringBuilder svg, Line line, String colour, int index, double right, double top) {
        svg.append("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"".formatted(colour));
        for (var point : line.points()) {
            svg.append("%s,%s ".formatted(x(point.x(), right), y(point.y(), top)));
        }
        svg.append("\"/>\n");
        int at = TOP + 10 + 20 * index;
        svg.append(line("<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>"
                .formatted(WIDTH - RIGHT + 12, WIDTH - RIGHT + 32, at, at, colour)));
        svg.append(line("<text x=\"%d\" y=\"%d\">%s</text>".formatted(WIDTH - RIGHT + 38, at + 4, text(line.name()))));
    }

    private static String x(double value, double right) {
        return pixels(LEFT + value / right * (WIDTH - LEFT - RIGHT));
    }

    private static String y(double value, double top) {
        return pixels(HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM));
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2g", value);
    }

    private static String line(String text) {
        return text + "\n";
    }

    private static String text(String plain) {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
