package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtenderCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void versionIsTheDocumentsProgramAndOurs() {
        assertThat(berth("extender", "--version")).isZero();
        assertThat(out.toString()).matches("GPU-Quota-Admission \\d+\\.\\d+\\.\\d+\\S*\\R");
        assertThat(berth("extender", "--version=raw")).isZero();
        assertThat(out.toString()).contains("version.Info{GitVersion:\"");
    }

    @Test
    void everyFlagOfTheDocumentIsThereInBothSpellings() {
        assertThat(berth(
                        "extender",
                        "--address=127.0.0.1:0",
                        "--alsologtostderr",
                        "--kubeconfig",
                        "nowhere",
                        "--log_backtrace_at=:0",
                        "--log-backtrace-at=:0",
                        "--log_dir=",
                        "--log-flush-frequency=5s",
                        "--logtostderr=true",
                        "--master",
                        "",
                        "--pprofAddress=127.0.0.1:0",
                        "--stderrthreshold=2",
                        "-v",
                        "0",
                        "--v=0",
                        "--vmodule=Nothing=9",
                        "--version"))
                .as(err.toString())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --policy=best | no policy is called 'best'; there are:
                    --assume-ttl=soon | --assume-ttl takes a time such as 30s or 1m30s, not 'soon'
                    --assume-ttl=1ms | a decision is held for a second at least
                    --volcano=2 | not of '2'
                    --address=nowhere | --address takes host:port, not 'nowhere'
                    --address=h:99999 | --address takes host:port
                    --config=/does/not/exist | --config: /does/not/exist does not exist
                    --stderrthreshold=9 | --stderrthreshold is 0 to 3
                    --vmodule=Placer | --vmodule takes pattern=N, not 'Placer'
                    --log-backtrace-at=Placer | --log-backtrace-at takes File.java:N, not 'Placer'
                    --logtostderr=maybe | neither true nor false
                    --version=verbose | --version is true or raw, not 'verbose'
                    --nonsense | unknown option '--nonsense'
                    """)
    void whatCannotBeUsedIsNamedAndEndsInTwo(String flag, String problem) {
        assertThat(berth("extender", flag)).isEqualTo(2);
        assertThat(err.toString()).contains(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "t", "TRUE", "0", "f", "False"})
    void yesAndNoAreTakenAsInGo(String word) {
        assertThat(berth("extender", "--logtostderr=" + word, "--alsologtostderr=" + word, "--version"))
                .as(err.toString())
                .isZero();
    }

    @Test
    void theExamplesOfTheHelpAreTaken() {
        assertThat(berth("extender", "--help")).isZero();
        var examples = out.toString()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("berth extender "))
                .toList();
        assertThat(examples).hasSizeGreaterThan(2);
        for (var example : examples) {
            var arguments = (example + " --kubeconfig /does/not/exist --v=0").split(" ");
            assertThat(berth(Arrays.copyOfRange(arguments, 1, arguments.length)))
                    .isEqualTo(1);
            assertThat(err.toString()).as(example).contains("kubeconfig /does/not/exist does not exist");
            err.getBuffer().setLength(0);
        }
    }

    @Test
    void anAddressOfIpv6IsOneThatCanBeCalled() {
        assertThat(HostAndPort.inAddress("::1")).isEqualTo("[::1]");
        assertThat(HostAndPort.inAddress("localhost")).isEqualTo("localhost");
    }

    @Test
    void aConfigurationWithoutTheLabelsIsRefused(@TempDir Path folder) throws Exception {
        var file = Files.writeString(
                folder.resolve("config"), "{\"QuotaConfigMapName\": \"q\", \"GPUModelLabel\": \"m\"}");

        assertThat(berth("extender", "--config=" + file)).isEqualTo(2);
        assertThat(err.toString()).contains("has no GPUPoolLabel");
    }

    @Test
    void theContainersVariablesAreFlagsToo() {
        assertThat(GoFlags.all(
                        List.of("--log_dir=/a_b", "-v", "2"),
                        Map.of("LOG_LEVEL", "4", "EXTRA_FLAGS", " --assume_ttl=5s  --volcano 1.7 ")))
                .containsExactly("--v=4", "--log-dir=/a_b", "-v", "2", "--assume-ttl=5s", "--volcano", "1.7");
        assertThat(GoFlags.all(List.of(), Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"30s,30000", "1m30s,90000", "1500ms,1500", "1.5s,1500", "2h,7200000", "0,0"})
    void timesAreTakenAsInGo(String text, long millis) {
        assertThat(GoDuration.parse(null, "--flag", text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 7, 8, 10})
    void verbosityIsALogLevel(int verbosity) {
        var expected = verbosity < 4 ? Level.INFO : verbosity < 8 ? Level.DEBUG : Level.TRACE;
        assertThat(KlogFlags.level(verbosity)).isEqualTo(expected);
    }
}
