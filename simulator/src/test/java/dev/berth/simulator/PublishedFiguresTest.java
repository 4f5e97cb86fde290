package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published means of Weng et al. on the trace that they used, where a copy of it is at hand; it is not part of this
 * repository. Four of the ten seeds, so that it is quick; all ten on all workloads are in docs/policies.md.
 */
class PublishedFiguresTest {
    private static Trace trace(String workload) throws IOException {
        var data = data();
        return TraceReader.read(
                data.resolve("openb_node_list_gpu_node.csv"), data.resolve("openb_pod_list_" + workload + ".csv"));
    }

    private static Path data() {
        for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
            var data = up.resolve("shared/data/openb");
            if (Files.isDirectory(data)) {
                return data;
            }
        }
        assumeTrue(false, "the trace of the published figures is not here");
        throw new IllegalStateException();
    }

    @ParameterizedTest
    @CsvSource({"default,fgd,95.39", "default,best-fit,93.08", "gpushare100,fgd,86.90", "multigpu50,dot-product,94.85"})
    void thePublishedMeanComesOut(String workload, String policy, double published) throws IOException {
        var fill = new Fill(trace(workload), 1.3);

        double mean = IntStream.rangeClosed(42, 45)
                .mapToDouble(seed -> fill.run(policy, seed).allocated())
                .average()
                .orElseThrow();

        assertThat(100 * mean).isCloseTo(published, within(0.4));
    }

    @Test
    void theTypicalPodsAreAsManyAsPublished() throws IOException {
        assertThat(trace("default").workload().kinds()).hasSize(35);
    }
}
