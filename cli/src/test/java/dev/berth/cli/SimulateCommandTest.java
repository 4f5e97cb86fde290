package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder = Path.of("");

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @BeforeEach
    void generate() {
        assertThat(berth("generate", "trace", "--nodes", "20", "--pods", "150", "--out", folder.toString()))
                .isZero();
    }

    private String nodes() {
        return folder.resolve("nodes.csv").toString();
    }

    private String pods() {
        return folder.resolve("pods.csv").toString();
    }

    @Test
    void everyPolicyAndEverySeedIsPrintedAndTheReportWritten() {
        assertThat(berth(
                        "simulate",
                        "--nodes",
                        nodes(),
                        "--pods",
                        pods(),
                        "--policy",
                        "best-fit,pack",
                        "--seeds",
                        "5-7",
                        "--out",
                        folder.resolve("report").toString()))
                .isZero();

        assertThat(out.toString())
                .contains("POLICY", "GIVEN OUT", "best-fit ", "pack ", "SEED", "\n5 ", "\n6 ", "\n7 ", "why pods wait");
        assertThat(folder.resolve("report/report.html")).isNotEmptyFile();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aReplaySaysHowLongPodsWaited() {
        assertThat(berth(
                        "simulate",
                        "--nodes",
                        nodes(),
                        "--pods",
                        pods(),
                        "--replay",
                        "--speed",
                        "100000",
                        "--seeds",
                        "1",
                        "--policy",
                        "fgd,berth",
                        "--out",
                        folder.toString()))
                .isZero();

        assertThat(out.toString()).contains("MEAN WAIT", "MAKESPAN", "\nfgd ", "\nberth ");
        assertThat(folder.resolve("replay.csv")).content().hasLineCount(3);
    }

    @Test
    void whatIsForFillingAloneOrForAReplayAloneIsNotIgnoredInTheOther() {
        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--speed", "2"))
                .isEqualTo(2);
        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--replay", "--threads", "2"))
                .isEqualTo(2);
        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--replay", "--arrive", "0.9"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--speed says how quickly --replay goes: give both")
                .contains("--threads is for filling a cluster, not for --replay")
                .contains("--arrive is for filling a cluster, not for --replay");
    }

    @Test
    void podsWithoutTimesCannotBeReplayed() throws IOException {
        Files.writeString(folder.resolve("pods.csv"), "name,cpu_milli,memory_mib,num_gpu,gpu_milli\nx,1,1,1,500\n");

        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--replay"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("pods.csv: pod x has no creation_time and deletion_time");
    }

    @Test
    void aBadRowIsNamedWithFileAndLineAndExitsWithTwo() throws IOException {
        Files.writeString(folder.resolve("pods.csv"), "name,cpu_milli,memory_mib,num_gpu,gpu_milli\nx,1,1,1,5000\n");

        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods())).isEqualTo(2);
        assertThat(err.toString()).contains("pods.csv:2: gpu_milli is a whole number from 0 to 1000, not '5000'");
    }

    @Test
    void aPolicyThatNobodyKnowsIsNamedWithThoseThereAre() {
        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--policy", "best"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no policy is called 'best'; there are: berth, best-fit, ");
    }

    @Test
    void seedsAreANumberOrARange() {
        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods(), "--seeds", "9-3"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--seeds takes one number or FROM-TO", "'9-3'");
    }

    @Test
    void aClusterWithoutGpusCannotBeFilled() throws IOException {
        Files.writeString(folder.resolve("nodes.csv"), "sn,cpu_milli,memory_mib,gpu,model\nn,1,1,0,\n");

        assertThat(berth("simulate", "--nodes", nodes(), "--pods", pods())).isEqualTo(2);
        assertThat(err.toString()).contains("nodes.csv: no node has a GPU");
    }

    @Test
    void aClusterThatWasWrittenDownIsFilledWithItsOwnPods() throws IOException {
        var file = Files.writeString(folder.resolve("cluster.json"), """
                {"items": [
                  {"kind": "Node", "metadata": {"name": "n", "labels": {"gpu.nvidia.com/class": "T4"}},
                   "status": {"allocatable": {"cpu": "64", "memory": "256Gi", "nvidia.com/gpu": "4"}}},
                  {"kind": "Pod", "metadata": {"namespace": "team", "name": "p"},
                   "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}]}
                """).toString();

        assertThat(berth(
                        "simulate",
                        "--cluster",
                        file,
                        "--policy",
                        "pack",
                        "--seeds",
                        "1",
                        "--what-if",
                        "add 2 nodes of T4"))
                .isZero();
        assertThat(out.toString()).contains("3 nodes, 12 GPUs", "pack     100.00 %");
        assertThat(berth("simulate", "--cluster", file, "--what-if", "buy some"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--what-if: 'buy some' is neither");
    }

    @Test
    void aRunningClusterIsFilledWithItsOwnPods() throws IOException {
        var settings = new OwnCluster.Settings(0, Optional.empty(), 4, 8, true);
        var kubeconfig = folder.resolve("kubeconfig");
        try (var cluster = OwnCluster.start(settings, InstantSource.system())) {
            Files.writeString(kubeconfig, cluster.kubeconfig());
            try (var connection = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()))) {
                var client = connection.client();
                var pod = client.getKubernetesSerialization()
                        .unmarshal(
                                "metadata: {name: p}\nspec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}",
                                Pod.class);
                client.pods().inNamespace("default").resource(pod).create();
            }

            assertThat(berth("simulate", "--kubeconfig", kubeconfig.toString(), "--policy", "pack", "--seeds", "1"))
                    .as(err.toString())
                    .isZero();
        }
        assertThat(out.toString()).contains("4 nodes, 32 GPUs");
    }

    @Test
    void whosePodsTheyAreMustBeSaid() {
        assertThat(berth("simulate", "--nodes", nodes())).isEqualTo(2);
        assertThat(err.toString()).contains("give either --nodes and --pods, or --cluster, or --kubeconfig");
    }
}
