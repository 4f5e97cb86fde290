package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nodes say of their GPUs: unreadable, written by the command, read from what the driver's tool prints. */
@OnBothServers
class NodesIT {
    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(240)
    void aNodeWithAnUnreadableAnnotationIsPassedOverWithAnEventAndAMetric(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            gpus.addNodes(1, 1);
            var bad = gpus.claims() + "-bad";
            gpus.addNode(bad, "this is not base64");
            try (var assigner = Replica.start(server.kubeconfig(), gpus.claims())) {
                assertThat(ask(assigner, gpus.review("req-1", "p1", 1))
                                .path("allowed")
                                .asBoolean())
                        .as("the other node works")
                        .isTrue();
                assertThat(assigner.metric("berth_assigner_unreadable_nodes")).isEqualTo(1);
                assertThat(assigner.metric("berth_assigner_unreadable_annotations_total"))
                        .isEqualTo(1);
                GpuCluster.await(
                        "there is an event", () -> !complaints(gpus, bad).isEmpty());
                var event = complaints(gpus, bad).getFirst();
                assertThat(event.getType()).isEqualTo("Warning");
                assertThat(event.getNote()).contains("fudo.org/gpu.device.labels", "no GPU of this node is given out");

                run(
                        "--kubeconfig=" + server.kubeconfig(),
                        "--node=" + bad,
                        "--replace",
                        "--device=GPU-" + bad + "=" + gpus.label());

                GpuCluster.await(
                        "it works once it can be read", () -> assigner.metric("berth_assigner_unreadable_nodes") == 0);
                assertThat(GpuCluster.uuids(ask(assigner, gpus.review("req-2", "p2", 1))))
                        .containsExactly("GPU-" + bad);
                complaints(gpus, bad).forEach(each -> gpus.client.resource(each).delete());
            }
        }
    }

    @Story
    @Timeout(240)
    void theGpusThatTheCommandWritesAreGivenOut(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            var node = gpus.claims() + "-labelled";
            gpus.addNode(node, "");
            var first = "GPU-1-" + gpus.claims();
            var second = "GPU-2-" + gpus.claims();
            try (var assigner = Replica.start(server.kubeconfig(), gpus.claims())) {
                var kubeconfig = "--kubeconfig=" + server.kubeconfig();
                assertThat(run(kubeconfig, "--node=" + node, "--device=" + first + "=" + gpus.label()))
                        .isEqualTo("%s  %s  %s%n".formatted(node, first, gpus.label()));
                assertThat(run(kubeconfig, "--node=" + node, "--device=" + second + "=" + gpus.label())
                                .lines())
                        .hasSize(2);

                GpuCluster.await("two GPUs are known", () -> allowed(assigner, gpus.review("req-1", "p1", 2)));
            }
        }
    }

    @Story
    @Timeout(240)
    void theGpusThatTheDriversToolListsAreGivenOut(Cluster server) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            var node = gpus.claims() + "-listed";
            gpus.addNode(node, GpuCluster.encoded("{\"GPU-that-was-taken-out\":[\"%s\"]}".formatted(gpus.label())));
            var uuid = "GPU-5f1bd0a4-6b5f-7c35-8a05-" + gpus.claims().substring("claims-".length()) + "7d11";
            var printed = Files.writeString(directory.resolve("nvidia-smi.csv"), """
                    uuid, name, memory.total [MiB]
                    %s, NVIDIA A100-SXM4-80GB, 81920 MiB
                    """.formatted(uuid));
            try (var assigner = Replica.start(server.kubeconfig(), gpus.claims())) {
                assertThat(run("--kubeconfig=" + server.kubeconfig(), "--node=" + node, "--from-nvidia-smi=" + printed))
                        .isEqualTo("%s  %s  fudo.org/gpu.a100,fudo.org/gpu.a100-sxm4,fudo.org/gpu.vram.80g%n"
                                .formatted(node, uuid));

                var review = gpus.review("req-1", "p1", 1).replace(gpus.label(), "fudo.org/gpu.a100-sxm4");
                GpuCluster.await("the listed GPU is known", () -> allowed(assigner, review));
                assertThat(GpuCluster.uuids(ask(assigner, review))).containsExactly(uuid);
                var gone = ask(assigner, gpus.review("req-2", "p2", 1));
                assertThat(gone.path("status").path("code").asInt())
                        .as("what is not listed is not there any more")
                        .isEqualTo(429);
            }
        }
    }

    @Story
    @Timeout(120)
    void aNodeThatIsNotThereIsNamed(Cluster server) {
        var said = BerthProcess.run(
                "assigner",
                "label-node",
                "--kubeconfig=" + server.kubeconfig(),
                "--node=no-such-node",
                "--device=GPU-1=a100");

        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.err()).contains("there is no node 'no-such-node'");
    }

    private static String run(String... flags) {
        var arguments = new ArrayList<>(List.of("assigner", "label-node"));
        arguments.addAll(List.of(flags));
        var said = BerthProcess.run(arguments.toArray(String[]::new));
        assertThat(said.exit()).as(said.err()).isZero();
        return said.out();
    }

    private static JsonNode ask(Replica assigner, String review) throws Exception {
        return GpuCluster.response(assigner.mutate(review));
    }

    private static boolean allowed(Replica assigner, String review) {
        try {
            return ask(assigner, review).path("allowed").asBoolean();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    private static List<Event> complaints(GpuCluster gpus, String node) {
        return gpus.client.events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> "UnreadableDeviceLabels".equals(event.getReason()))
                .filter(event -> node.equals(event.getRegarding().getName()))
                .toList();
    }
}
