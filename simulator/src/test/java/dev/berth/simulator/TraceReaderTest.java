package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
    private static final String HEADINGS =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time\n";

    @TempDir
    private Path folder = Path.of("");

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aPodSharesAGpuOrHasWholeOnesOrNone() throws IOException {
        var tasks = TraceReader.tasks(file(
                "pods.csv",
                HEADINGS + "a,4000,1024,1,460,V100M16|V100M32,5,9\nb,8000,2048,8,1000,,,\nc,1000,512,0,0,,,\n"));

        assertThat(tasks).extracting(Task::cores).containsExactly(46L, 800L, 0L);
        assertThat(tasks.getFirst().parcel().models()).containsExactlyInAnyOrder("V100M16", "V100M32");
        assertThat(tasks.getFirst().span()).contains(new Task.Span(5, 9));
        assertThat(tasks.get(1).span()).isEmpty();
    }

    @Test
    void columnsThatNobodyNeedsMayBeMissing() throws IOException {
        var tasks = TraceReader.tasks(file("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000\n"));

        assertThat(tasks).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x,1,1,1,1001,,, ; gpu_milli is a whole number from 0 to 1000, not '1001'",
                "x,one,1,1,500,,, ; cpu_milli is a whole number from 0, not 'one'",
                "x,-1,1,1,500,,, ; cpu_milli is a whole number from 0, not '-1'",
                "x,1,1,2,500,,, ; parts of 2 GPUs",
                "x,1,1,1,0,,, ; a gpu_milli from 1 to 1000",
                "x,1,1,1,500,,9,5 ; it is deleted (5) before it is created (9)",
                "x,1,1,1 ; 4 cells under 8 headings",
            })
    void aBadRowIsNamedWithFileAndLine(String row, String problem) throws IOException {
        var pods = file("pods.csv", HEADINGS + "ok,1,1,1,500,,,\n" + row.strip() + "\n");

        assertThatThrownBy(() -> TraceReader.tasks(pods))
                .isInstanceOf(BadTraceException.class)
                .hasMessageStartingWith(pods + ":3: ")
                .hasMessageContaining(problem);
    }

    @Test
    void twoNodesOfOneNameAreABadTrace() throws IOException {
        var nodes = file("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn,1,1,1,T4\nn,1,1,1,T4\n");

        assertThatThrownBy(() -> TraceReader.machines(nodes)).hasMessage(nodes + ":3: a second node is called n");
    }

    @Test
    void aMissingColumnAndAMissingFileAreNamed() throws IOException {
        var nodes = file("nodes.csv", "sn,cpu_milli\n");

        assertThatThrownBy(() -> TraceReader.machines(nodes)).hasMessage(nodes + ":1: there is no column memory_mib");
        assertThatThrownBy(() -> TraceReader.machines(folder.resolve("none.csv")))
                .isInstanceOf(BadTraceException.class)
                .hasMessageEndingWith("none.csv: cannot be read");
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        var trace = GeneratedTrace.of(20, 100, 7);

        var files = TraceWriter.write(trace, folder);

        assertThat(TraceReader.read(files.getFirst(), files.getLast())).isEqualTo(trace);
    }
}
