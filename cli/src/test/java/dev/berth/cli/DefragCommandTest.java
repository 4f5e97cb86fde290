package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On clusters that were written down, and on made ones; a running one is in e2e. */
class DefragCommandTest {
    private static final String MADE_AGAIN =
            "\"ownerReferences\": [{\"kind\": \"ReplicaSet\", \"name\": \"r\", \"uid\": \"r\", \"controller\": true}],";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> items = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    /** With one GPU that is given out in parts. */
    private void node(String name) {
        var amounts =
                "\"cpu\": \"8\", \"memory\": \"32Gi\", \"pods\": \"100\", \"tencent.com/vcuda-core\": \"100\", \"tencent.com/vcuda-memory\": \"64\"";
        items.add("""
                {"kind": "Node", "metadata": {"name": "%s"}, "status": {"capacity": {%s}, "allocatable": {%s},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """.formatted(name, amounts, amounts));
    }

    private void pod(String name, String node, String metadata, int cores) {
        var placed = node.isEmpty() ? "" : "\"annotations\": {\"tencent.com/predicate-gpu-idx-0\": \"0\"},";
        items.add("""
                {"kind": "Pod", "metadata": {%s %s "namespace": "team", "name": "%s", "uid": "%s"},
                 "spec": {"nodeName": "%s", "containers": [{"name": "main", "resources":
                   {"limits": {"tencent.com/vcuda-core": "%d", "tencent.com/vcuda-memory": "8"}}}]}}
                """.formatted(metadata, placed, name, name, node, cores));
    }

    private String cluster() throws IOException {
        return Files.writeString(folder.resolve("cluster.json"), "{\"items\": [%s]}".formatted(String.join(",", items)))
                .toString();
    }

    @Test
    void halvesThatTheExtenderPlacedAreMovedTogetherForAPodThatWantsAWholeGpu() throws IOException {
        node("n1");
        node("n2");
        pod("first", "n1", MADE_AGAIN, 50);
        pod("second", "n2", MADE_AGAIN, 40);
        pod("large", "", "", 100);

        assertThat(berth("defrag", "--plan", "--cluster", cluster(), "--for", "team/large"))
                .as(err::toString)
                .isZero();
        assertThat(out.toString())
                .contains("team/large: 1 move makes room on n1 GPU 0; fewer will not do")
                .containsPattern("1 +team/first +n1 GPU 0 +n2 GPU 0")
                .containsPattern("GPUs given out +0.90 of 2 +1.90 of 2")
                .contains("nothing was moved");
    }

    @Test
    void aPodThatNobodyMakesAgainIsNamedWithTheReason() throws IOException {
        node("n1");
        node("n2");
        pod("first", "n1", "", 50);
        pod(
                "second",
                "n2",
                "\"ownerReferences\": [{\"kind\": \"Job\", \"name\": \"j\", \"uid\": \"j\", \"controller\": true}],",
                40);
        pod("large", "", "", 100);

        assertThat(berth("defrag", "--plan", "--cluster", cluster(), "--for", "team/large"))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("team/large: no room, and no 4 moves would make any")
                .contains("team/first (no controller would make it again)")
                .contains("team/second (it is a Job's: what it has done would be lost)");
    }

    @Test
    void movesThatLowerFragmentationAreNamedForPrograms() throws IOException {
        node("n1");
        node("n2");
        pod("first", "n1", MADE_AGAIN, 50);
        pod("second", "n2", MADE_AGAIN, 50);
        pod("large", "", "", 100);

        assertThat(berth("defrag", "--plan", "--cluster", cluster(), "--moves", "3", "-o", "json"))
                .isZero();
        var json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("moves").size()).isEqualTo(1);
        assertThat(json.at("/after/untouched").asInt()).isEqualTo(1);
        assertThat(json.at("/after/fitting/0").asText()).isEqualTo("team/large");
        assertThat(json.at("/after/fragmented").asDouble())
                .isLessThan(json.at("/before/fragmented").asDouble());
    }

    @Test
    void podsWithANumberOfGpusAreMovedWhereNobodyKnowsWhichTheyHave() throws IOException {
        counting("n1");
        counting("n2");
        counted("first", "n1", MADE_AGAIN, 1);
        counted("second", "n2", MADE_AGAIN, 1);
        counted("large", "", "", 2);

        assertThat(berth("defrag", "--plan", "--cluster", cluster(), "--for", "team/large"))
                .as(err::toString)
                .isZero();
        assertThat(out.toString()).containsPattern("1 +team/first +n1 GPU 1 +n2 GPU 0");
    }

    private void counting(String name) {
        var amounts = "\"cpu\": \"8\", \"memory\": \"32Gi\", \"pods\": \"100\", \"nvidia.com/gpu\": \"2\"";
        items.add("""
                {"kind": "Node", "metadata": {"name": "%s"}, "status": {"capacity": {%s}, "allocatable": {%s},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """.formatted(name, amounts, amounts));
    }

    private void counted(String name, String node, String metadata, int gpus) {
        items.add("""
                {"kind": "Pod", "metadata": {%s "namespace": "team", "name": "%s", "uid": "%s"},
                 "spec": {"nodeName": "%s", "containers": [{"name": "main", "resources":
                   {"requests": {"nvidia.com/gpu": "%d"}, "limits": {"nvidia.com/gpu": "%d"}}}]}}
                """.formatted(metadata, name, name, node, gpus, gpus));
    }

    @Test
    void aPodOfAFileFindsRoomBeforeItIsSubmitted() throws IOException {
        node("n1");
        pod("first", "n1", MADE_AGAIN, 50);
        var file = Files.writeString(folder.resolve("pod.yaml"), """
                apiVersion: v1
                kind: Pod
                metadata: {name: small, namespace: team}
                spec: {containers: [{name: main, resources: {limits: {tencent.com/vcuda-core: 30, tencent.com/vcuda-memory: 8}}}]}
                """);

        assertThat(berth("defrag", "--plan", "--cluster", cluster(), "-f", file.toString()))
                .as(err::toString)
                .isZero();
        assertThat(out.toString()).contains("team/small has room without any move: n1 GPU 0");
    }

    @Test
    void aSimulatedClusterIsTidied() {
        assertThat(berth("generate", "trace", "--nodes", "20", "--pods", "150", "--out", folder.toString()))
                .isZero();
        var trace = List.of(
                "--nodes",
                folder.resolve("nodes.csv").toString(),
                "--pods",
                folder.resolve("pods.csv").toString());
        var arguments =
                new ArrayList<>(List.of("defrag", "--plan", "--policy", "random", "--seed", "1", "--moves", "3"));
        arguments.addAll(trace);

        assertThat(berth(arguments.toArray(String[]::new))).as(err::toString).isZero();
        assertThat(out.toString()).contains("3 moves, each the one that lowers fragmentation most", "BEFORE", "AFTER");
    }

    @Test
    void aSimulationMovesPodsAndSaysWhatNoMovesCouldExceed() {
        assertThat(berth("generate", "trace", "--nodes", "20", "--pods", "150", "--out", folder.toString()))
                .isZero();
        var nodes = folder.resolve("nodes.csv").toString();
        var pods = folder.resolve("pods.csv").toString();

        assertThat(berth(
                        "simulate",
                        "--nodes",
                        nodes,
                        "--pods",
                        pods,
                        "--policy",
                        "best-fit",
                        "--seeds",
                        "1",
                        "--moves",
                        "10%"))
                .as(err::toString)
                .isZero();
        assertThat(out.toString()).contains("what moves gained", "AT MOST");
        assertThat(berth("simulate", "--nodes", nodes, "--pods", pods, "--moves", "lots"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--moves takes a part of the pods such as 10% or 0.1, not 'lots'");
    }

    @Test
    void whatIsNotSaidOrContradictsItselfIsRefused() throws IOException {
        node("n1");
        var cluster = cluster();

        assertThat(berth("defrag", "--plan", "--cluster", cluster)).isEqualTo(2);
        assertThat(berth("defrag", "--cluster", cluster, "--moves", "1", "--apply", "--max-disruption", "1"))
                .isEqualTo(2);
        assertThat(berth("defrag", "--cluster", cluster, "--moves", "0")).isEqualTo(2);
        assertThat(berth("defrag", "--cluster", cluster, "--moves", "1", "--seed", "7"))
                .isEqualTo(2);
        assertThat(berth("defrag", "--moves", "1", "--policy", "random")).isEqualTo(2);
        assertThat(berth("defrag", "--cluster", cluster, "--for", "team/nobody"))
                .isEqualTo(2);
        assertThat(berth("defrag", "--cluster", folder + "/none.json", "--moves", "1"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("say what is wanted: --for NAMESPACE/NAME or -f FILE for room")
                .contains("--apply needs a running cluster")
                .contains("--moves takes 1 to 10000, not 0")
                .contains("--seed says how a trace is simulated: give it with --nodes and --pods")
                .contains("--policy says how a trace is simulated")
                .contains("no pod team/nobody waits for GPUs")
                .contains("there is no file");
    }
}
