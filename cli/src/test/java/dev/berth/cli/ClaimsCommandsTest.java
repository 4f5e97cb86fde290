package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of the claims door print, and how they end. */
class ClaimsCommandsTest {
    private static final String EXAMPLES = "../examples/claims/";

    @TempDir
    private Path directory = Path.of(".");

    private record Run(int code, String out, String err) {}

    private static Run run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Berth.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Run(code, out.toString(), err.toString());
    }

    @Test
    void scheduleEndsWithZeroWhenEveryPodHasItsPlace() {
        var run = run(
                "schedule",
                "-o",
                "table",
                "-f",
                EXAMPLES + "classes.yaml",
                EXAMPLES + "pools-foozers.yaml",
                EXAMPLES + "pod-one-gpu.yaml");
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("""
                        POD               NODE      CLAIM         DEVICES
                        default/one-gpu   node-00   one-gpu-gpu   node-00-foozer/dev-00
                        """);
        assertThat(run.err()).startsWith("default/one-gpu: placed on node-00 with one-gpu-gpu: node-00-foozer/dev-00");
    }

    @Test
    void scheduleEndsWithOneAndEveryNodesReasonWhenAPodHasNone() {
        var run = run(
                "schedule",
                "-f",
                EXAMPLES + "classes.yaml",
                EXAMPLES + "pools-foozers.yaml",
                EXAMPLES + "pod-two-gpus-one-root.yaml");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("default/two-gpus-one-root: not placed: node-00: ", "; node-01: ");
    }

    @Test
    void scheduleTakesTheFlagsOfTheProgramWhoseNameItHas() {
        var run = run("schedule", "-v", "-kubeconfig", "/there/is/none", "one-gpu");
        assertThat(run.err()).isEqualTo("berth: kubeconfig /there/is/none does not exist\n");
        assertThat(run("schedule", "-kubeconfig=/there/is/none", "one-gpu").err())
                .isEqualTo(run.err());
    }

    @Test
    void scheduleEndsWithTwoAndWritesNothingOnBadInput() throws IOException {
        Path bad = directory.resolve("bad.yaml");
        Files.writeString(
                bad,
                "apiVersion: devmgmtproto.k8s.io/v1alpha1\nkind: DevicePool\nmetadata: {name: p}\nspec: {drver: d}\n");
        var run = run(
                "schedule",
                "-f",
                EXAMPLES + "classes.yaml",
                EXAMPLES + "pools-foozers.yaml",
                EXAMPLES + "pod-one-gpu.yaml",
                bad.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("bad.yaml: document 1, line 4: spec: needs the field driver");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        var run = run("schedule", "-f", "no-such.yaml");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("there is no file no-such.yaml");
    }

    @Test
    void generatePrintsWhatScheduleReads() throws IOException {
        Path pools = directory.resolve("pools.yaml");
        Files.writeString(
                pools, run("generate", "foozer-4000-tiny", "--with-nodes").out());
        var run = run(
                "schedule",
                "-o",
                "table",
                "-f",
                EXAMPLES + "classes.yaml",
                EXAMPLES + "pod-best-available.yaml",
                pools.toString());
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("foozer-4000-tiny-00-pool-foozer/dev-00");
    }

    @Test
    void generateRefusesWhatIsNoShape() {
        var run = run("generate", "nonsense");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("no shape is called 'nonsense'; there are: dgxa100");
    }

    @Test
    void convertSaysWhatHasNoWord() {
        var run = run("claims", "convert", "--to", "v1", "-f", EXAMPLES + "drivers.yaml");
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("DeviceDriver vlan: there is no such kind; left out");
    }

    @Test
    void crdsAreAllPrinted() {
        assertThat(run("claims", "crds").out().lines().filter("kind: CustomResourceDefinition"::equals))
                .hasSize(6);
    }
}
