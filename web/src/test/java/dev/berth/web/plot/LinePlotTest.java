package dev.berth.web.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.web.plot.LinePlot.Line;
import dev.berth.web.plot.LinePlot.Point;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class LinePlotTest {
    private static Document parsed(LinePlot plot) throws Exception {
        var bytes = plot.svg().getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
    }

    @Test
    void eachLineIsDrawnFromTheLeftBottomToItsLastPoint() throws Exception {
        var plot = new LinePlot(
                "Losses", "jobs", "hours", List.of(new Line("model", List.of(new Point(0, 0), new Point(100, 50)))));

        var lines = parsed(plot).getElementsByTagName("polyline");

        assertThat(lines.getLength()).isEqualTo(1);
        assertThat(lines.item(0)
                        .getAttributes()
                        .getNamedItem("points")
                        .getNodeValue()
                        .strip())
                .isEqualTo("70.0,368.0 590.0,44.0");
    }

    @Test
    void namesAreWrittenAsTextWhateverTheyHold() throws Exception {
        var plot = new LinePlot("a < b & c", "x", "y", List.of(new Line("<one>", List.of(new Point(1, 1)))));

        assertThat(parsed(plot).getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("a < b & c");
        assertThat(plot.svg()).contains("&lt;one&gt;");
    }

    @Test
    void axesEndAtARoundNumber() {
        var plot = new LinePlot("t", "x", "y", List.of(new Line("l", List.of(new Point(1700, 0.3)))));

        assertThat(plot.svg()).contains(">2000</text>").contains(">0.50</text>");
    }

    @Test
    void aPlotOfNothingIsRefused() {
        assertThatThrownBy(() -> new LinePlot("t", "x", "y", List.of())).hasMessageContaining("needs lines");
    }
}
