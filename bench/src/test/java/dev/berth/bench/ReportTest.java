package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final String PAGE = "# Figures\nkept\n%s\nold\n%s\nkept, too\n".formatted(Report.BEGIN, Report.END);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aResultWithAPeerShowsBothTheRatioAndWhetherTheTargetIsMet() {
        var result = Result.of("bindings", "a second", 450).beside("kube-scheduler", 300);

        assertThat(Report.table(List.of(result.timesAtLeast(1), result.timesAtLeast(2))))
                .contains("| bindings | 450 a second | 300 a second (kube-scheduler) | 1.50 | at least 1 times | yes |")
                .contains("| 1.50 | at least 2 times | **no** |");
    }

    @Test
    void aResultThatNobodyPromisedIsNeitherMetNorMissed() {
        assertThat(Report.table(List.of(Result.of("a decision", "µs", 0.125))))
                .endsWith("| a decision | 0.13 µs |  |  |  |  |\n");
    }

    @Test
    void memoryIsMetWhenItIsNoMoreThanTheTarget() {
        assertThat(Result.of("idle", "MiB", 128).atMost(128).met()).isTrue();
        assertThat(Result.of("idle", "MiB", 128.1).atMost(128).met()).isFalse();
    }

    @Test
    void theTableTakesThePlaceOfTheOneBeforeAndTheRestOfThePageStays() throws IOException {
        var results = folder.resolve("results");
        var page = Files.writeString(folder.resolve("page.md"), PAGE);
        Result.of("ready", "s", 1.25).atMost(1).appendTo(results);
        Result.of("idle", "MiB", 120).atMost(128).appendTo(results);

        Report.main(new String[] {results.toString(), page.toString()});

        assertThat(Files.readString(page))
                .startsWith("# Figures\nkept\n" + Report.BEGIN)
                .endsWith(Report.END + "\nkept, too\n")
                .contains("| ready | 1.25 s |  |  | at most 1 s | **no** |")
                .contains("| idle | 120 MiB |  |  | at most 128 MiB | yes |")
                .contains("cores, load")
                .doesNotContain("old");
    }

    @Test
    void aPageWithoutMarkersIsLeftAlone() {
        assertThatThrownBy(() -> Report.between("# Figures", "table")).hasMessageContaining("no place for the table");
    }
}
