package dev.berth.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.simulator.GeneratedTrace;
import dev.berth.simulator.Simulation;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class ReportFilesTest {
    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void simulate() throws IOException, InterruptedException {
        var settings = new Simulation.Settings(List.of("best-fit", "fgd"), List.of(1L, 2L), 1.2, 2);
        var comparison = new Simulation(GeneratedTrace.of(20, 200, 3), settings).run(_ -> {});
        ReportFiles.write(comparison, folder);
    }

    @Test
    void thereIsARowForEveryRun() throws IOException {
        var lines = Files.readAllLines(folder.resolve("runs.csv"));

        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst()).startsWith("policy,seed,allocated,");
        assertThat(lines.get(1)).startsWith("best-fit,1,0.");
        assertThat(lines.get(4)).startsWith("fgd,2,0.");
    }

    @Test
    void programsFindTheMeanAndEverySeed() throws IOException {
        var json = new ObjectMapper().readTree(folder.resolve("simulation.json").toFile());

        assertThat(json.at("/policies/1/policy").asText()).isEqualTo("fgd");
        double mean = (json.at("/policies/1/seeds/0/allocated").asDouble()
                        + json.at("/policies/1/seeds/1/allocated").asDouble())
                / 2;
        assertThat(json.at("/policies/1/allocated").asDouble()).isEqualTo(mean);
    }

    @Test
    void thePageShowsEveryPictureWellFormed() throws IOException, ParserConfigurationException, SAXException {
        var page = Files.readString(folder.resolve("report.html"));

        assertThat(page).contains("GPUs given out", "of no use to typical pods", "Why pods wait", "over time: fgd");
        var pictures = page.split("(?=<svg)");
        assertThat(pictures).hasSize(6);
        for (int picture = 1; picture < pictures.length; picture++) {
            var svg = pictures[picture].substring(0, pictures[picture].indexOf("</svg>") + 6);
            var parsed = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)));
            assertThat(parsed.getDocumentElement().getChildNodes().getLength()).isGreaterThan(10);
        }
    }
}
