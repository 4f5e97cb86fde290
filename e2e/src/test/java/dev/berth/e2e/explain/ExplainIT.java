package dev.berth.e2e.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Why does my pod wait, where would it go, and who holds what: asked of a cluster on which no door runs. */
@OnBothServers
class ExplainIT {
    private static final com.fasterxml.jackson.databind.ObjectMapper JSON =
            new com.fasterxml.jackson.databind.ObjectMapper();
    private static final String CORES = "tencent.com/vcuda-core";
    private static final String MEMORY = "tencent.com/vcuda-memory";

    @TempDir
    private Path folder = Path.of(".");

    @Story
    @Timeout(240)
    void aPodThatFitsNowhereIsToldTheNearestNodeAndWhatWouldHelp(Dialogue server) throws IOException {
        var stage = new ExplainStage(server, folder);
        stage.node("explain-full", Map.of(CORES, "200", MEMORY, "64"), "}");
        stage.node("explain-closed", Map.of(CORES, "200", MEMORY, "64"), "}");
        stage.patchNode("explain-closed", "{\"spec\": {\"unschedulable\": true}}");
        stage.pod(
                "holder",
                "explain-full",
                ", annotations: {tencent.com/predicate-gpu-idx-0: \"0,1\", tencent.com/predicate-node: explain-full}",
                CORES + ": \"200\"");
        stage.pod("waiting", "", "", CORES + ": \"100\"");
        var holder = server.namespace() + "/holder";

        var waits = stage.berth("explain", "pod", server.namespace() + "/waiting");
        assertThat(waits.exit()).as(waits.err()).isEqualTo(1);
        assertThat(waits.out())
                .contains("extender (main wants 1 whole GPU): fits nowhere")
                .contains("explain-closed: cordoned")
                .contains("explain-full: taken")
                .contains("nearest: explain-full: wants 1 whole GPU, 0 of 2 untouched")
                .contains("would help: free 1 GPU on explain-full: wait for " + holder);

        var json = stage.berth("explain", "pod", "waiting", "-o", "json");
        var door = JSON.readTree(json.out()).at("/doors/0");
        assertThat(door.path("answer").asText()).isEqualTo("waits");
        assertThat(door.at("/nearest/node").asText()).isEqualTo("explain-full");
        assertThat(door.at("/nearest/missing").asInt()).isEqualTo(1);

        var placed = stage.berth("explain", "pod", "holder");
        assertThat(placed.exit()).as(placed.err()).isZero();
        assertThat(placed.out()).contains("holds all of 0 on explain-full, through the extender, confirmed");

        var node = stage.berth("explain", "node", "explain-full");
        assertThat(node.exit()).as(node.err()).isZero();
        assertThat(node.out())
                .contains("node explain-full: ready, 2 devices, 0 free")
                .contains("all of it by " + holder);

        var whyNot = stage.berth("why-not", "explain-closed", "waiting");
        assertThat(whyNot.exit()).as(whyNot.err()).isEqualTo(1);
        assertThat(whyNot.out()).contains("would help: kubectl uncordon explain-closed");

        var before = stage.berth("explain", "-f", stage.file("part", "", CORES + ": 20, " + MEMORY + ": 8"));
        assertThat(before.exit()).as(before.err()).isEqualTo(1);
        assertThat(before.out())
                .contains("wants 20 cores and 8 of memory on one GPU; the emptiest, GPU 0, has 0 and 0 left");

        var nobody = stage.berth("explain", "pod", "no-such-pod");
        assertThat(nobody.exit()).isEqualTo(2);
        assertThat(nobody.err()).contains("there is no pod " + server.namespace() + "/no-such-pod");
    }

    @Story
    @Timeout(240)
    void aPodOfAFileIsToldWhichGpuItsLabelsWouldGet(Dialogue server) {
        var stage = new ExplainStage(server, folder);
        var labels = Base64.getEncoder()
                .encodeToString("{\"GPU-explain-1\": [\"fudo.org/gpu.a100\"]}".getBytes(StandardCharsets.UTF_8));
        stage.node(
                "explain-labelled",
                Map.of("nvidia.com/gpu", "1"),
                "}, annotations: {fudo.org/gpu.device.labels: %s}".formatted(labels));

        var fits = stage.berth("explain", "-f", stage.file("a100", ", labels: {fudo.org/gpu.a100: \"\"}", ""));
        assertThat(fits.exit()).as(fits.err() + fits.out()).isZero();
        assertThat(fits.out())
                .contains("assigner (1 GPU labelled fudo.org/gpu.a100): fits on explain-labelled with GPU-explain-1");

        var wrong = stage.berth("explain", "-f", stage.file("h100", ", labels: {fudo.org/gpu.h100: \"\"}", ""));
        assertThat(wrong.exit()).as(wrong.err() + wrong.out()).isEqualTo(1);
        assertThat(wrong.out()).contains("explain-labelled: lacks the label fudo.org/gpu.h100");

        var plain = stage.berth("explain", "-f", stage.file("plain", "", "nvidia.com/gpu: 2"));
        assertThat(plain.exit()).as(plain.err() + plain.out()).isEqualTo(1);
        assertThat(plain.out()).contains("Insufficient nvidia.com/gpu (wants 2, 1 of 1 free)");
    }

    /** The quota is read where the extender reads it unless told otherwise, so that the story takes it away again. */
    @Story
    @Timeout(180)
    void aQuotaIsToldByHowMuchItWouldHaveToBeRaised(Dialogue server) {
        var stage = new ExplainStage(server, folder);
        stage.node("explain-quota", Map.of(CORES, "400", MEMORY, "64"), ", gaia.tencent.com/gpu-model: M40}");
        server.cleanUp("/api/v1/namespaces/kube-system/configmaps/gpuquota");
        stage.sent("POST", "/api/v1/namespaces/kube-system/configmaps", """
                metadata: {name: gpuquota}
                data: {gpu_quota: '{"{ns}": {"quota": {"M40": 1}}}'}
                """);
        stage.pod("user", "explain-quota", ", annotations: {tencent.com/predicate-gpu-idx-0: \"0\"}", CORES + ": 100");

        var over = stage.berth("explain", "-f", stage.file("over", "", CORES + ": 200"));

        assertThat(over.exit()).as(over.err() + over.out()).isEqualTo(1);
        assertThat(over.out())
                .contains("quota of namespace %s for M40 used up".formatted(server.namespace()))
                .contains("raise the quota of namespace %s for M40 by 2 to 3 GPUs".formatted(server.namespace()));
    }

    @Story
    @Timeout(180)
    void kubectlFindsItAsAPlugin(Dialogue server) {
        var stage = new ExplainStage(server, folder);
        stage.node("explain-plugin", Map.of("nvidia.com/gpu", "1"), "}");
        var bin = E2eFolder.path().toAbsolutePath().normalize().resolveSibling("bin");

        var said = server.kubectl()
                .with("PATH", bin + ":" + System.getenv("PATH"))
                .with("BERTH_NO_BUILD", "1")
                .run("berth explain node explain-plugin");

        assertThat(said).contains("node explain-plugin: ready, 1 device, 1 free");
    }

    @Story
    @Timeout(240)
    void aReplicaIsToldWhoHoldsTheGpuThatItsMapNames(Dialogue server) {
        var stage = new ExplainStage(server, folder);
        stage.node("explain-pinned", Map.of("nvidia.com/gpu", "4"), "}");
        stage.sent("POST", "/api/v1/namespaces/{ns}/pods", """
                metadata: {name: job-0, annotations: {berth.dev/pinned-gpus: "2", gpu-scheduling-map: "0=explain-pinned:2"}}
                spec: {schedulerName: gpu-scheduler, nodeName: explain-pinned, containers: [{name: main, image: none}]}
                """);

        var taken = stage.berth(
                "explain",
                "-f",
                stage.file("other-0", ", annotations: {gpu-scheduling-map: \"0=explain-pinned:2\"}", ""));
        assertThat(taken.exit()).as(taken.err() + taken.out()).isEqualTo(1);
        assertThat(taken.out())
                .contains("pinner (GPU 2 on explain-pinned, by its map): fits nowhere")
                .contains("would help: free 1 GPU on explain-pinned: wait for " + server.namespace() + "/job-0");

        var fits = stage.berth(
                "explain",
                "-f",
                stage.file("third-0", ", annotations: {gpu-scheduling-map: \"0=explain-pinned:3\"}", ""));
        assertThat(fits.exit()).as(fits.err() + fits.out()).isZero();
        assertThat(fits.out()).contains("fits on explain-pinned with 3");
    }

    @Story
    @Timeout(240)
    void aPodWithClaimsIsToldItsDevicesThroughTheClaimsDoor(Dialogue server) {
        var stage = new ExplainStage(server, folder);
        stage.node("explain-claims", Map.of(), "}");
        stage.pool("explain-pool", "explain-claims", 1);

        var one = stage.berth("explain", "-f", stage.file("one", claims("explain-pool", 1), ""));
        assertThat(one.exit()).as(one.err() + one.out()).isZero();
        assertThat(one.out())
                .contains("claims (devices for gpu-0")
                .contains("fits on explain-claims with explain-pool/gpu-0");

        var two = stage.berth("explain", "-f", stage.file("two", claims("explain-pool", 2), ""));
        assertThat(two.exit()).as(two.err() + two.out()).isEqualTo(1);
        assertThat(two.out()).contains("fits nowhere");

        var unknown = stage.berth("explain", "-f", stage.file("none", claims("no-such-class", 1), ""));
        assertThat(unknown.exit()).as(unknown.err() + unknown.out()).isEqualTo(1);
        assertThat(unknown.out()).contains("cannot be placed: the class no-such-class does not exist");
    }

    private static String claims(String deviceClass, int count) {
        var devices = new StringBuilder();
        for (int device = 0; device < count; device++) {
            devices.append(device == 0 ? "" : ", ")
                    .append("{\"name\": \"gpu-%d\", \"class\": \"%s\"}".formatted(device, deviceClass));
        }
        return ", annotations: {devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [%s]}}'}"
                .formatted(devices);
    }
}
