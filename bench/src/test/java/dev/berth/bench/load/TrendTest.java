package dev.berth.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrendTest {
    private static List<Double> figures(int count, double start, double each, double scatter) {
        List<Double> figures = new ArrayList<>();
        for (int i = 0; i < count; i++) figures.add(start + each * i + scatter * (i % 2 == 0 ? 1 : -1));
        return figures;
    }

    @Test
    void aSteadyRiseIsADrift() {
        var trend = Trend.of(figures(30, 100, 1, 0.5));

        assertThat(trend.rise()).isBetween(28.0, 30.0);
        assertThat(trend.drifts()).isTrue();
    }

    @Test
    void figuresThatGoUpAndDownAreNoDrift() {
        assertThat(Trend.of(figures(30, 100, 0, 20)).drifts()).isFalse();
    }

    @Test
    void aRiseThatIsSmallerThanTheScatterIsNoDrift() {
        assertThat(Trend.of(figures(30, 100, 0.5, 10)).drifts()).isFalse();
    }

    @Test
    void aFallIsNoDrift() {
        assertThat(Trend.of(figures(30, 100, -1, 0.5)).drifts()).isFalse();
    }

    @Test
    void aFewFiguresSayNothing() {
        var trend = Trend.of(figures(5, 100, 50, 0));

        assertThat(trend.drifts()).isFalse();
        assertThat(trend.words("MiB")).contains("too short to say");
    }
}
