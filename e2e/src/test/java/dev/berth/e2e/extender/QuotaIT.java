package dev.berth.e2e.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.DelayingProxy;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A quota is kept to the last core by two replicas that hear of each other two seconds late. */
@OnBothServers
class QuotaIT {
    private static final String MODEL = "gaia.tencent.com/gpu-model";
    private static final int GPUS_ALLOWED = 3;
    private static final int CORES_EACH = 25;
    private static final int ALLOWED = GPUS_ALLOWED * 100 / CORES_EACH;
    private static final int PODS = 60;

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(300)
    void twoReplicasTogetherGiveOutTheQuotaAndNotACoreMore(Cluster server) throws Exception {
        try (var slices = new SliceCluster(server);
                var late = DelayingProxy.start(server, Duration.ofSeconds(2))) {
            // Each node has room for the whole quota, so that no node's ledger stands in the way of too much.
            slices.addNodes(4, 8, 32, Map.of(MODEL, "M40"));
            limit(slices);
            var config = "--config=" + config(slices);
            try (var observer = new Observer(slices, 32);
                    var first = Replica.start(late.kubeconfig(), config);
                    var second = Replica.start(late.kubeconfig(), config)) {
                List<Callable<String>> questions = new ArrayList<>();
                for (int number = 0; number < PODS; number++) {
                    var pod = slices.create("pod-%02d".formatted(number), CORES_EACH, 1);
                    var replica = number % 2 == 0 ? first : second;
                    questions.add(() -> {
                        var node = SliceCluster.chosen(replica.ask("predicates", slices.question(pod)));
                        if (slices.nodes().contains(node)) slices.bind(pod, node);
                        return node;
                    });
                }
                var answers = new ArrayList<String>();
                try (var threads = Executors.newFixedThreadPool(16)) {
                    for (var answer : threads.invokeAll(questions)) answers.add(answer.get());
                }

                assertThat(answers).filteredOn(slices.nodes()::contains).hasSize(ALLOWED);
                assertThat(Collections.frequency(answers, "none")).isEqualTo(PODS - ALLOWED);
                SliceCluster.await("the observer to have seen all", () -> observer.placed() == ALLOWED);

                // One goes: one more may come, from whichever replica.
                slices.client
                        .pods()
                        .inNamespace(slices.work())
                        .withName(slices.pods().stream()
                                .filter(pod -> pod.getSpec().getNodeName() != null)
                                .findFirst()
                                .orElseThrow()
                                .getMetadata()
                                .getName())
                        .withGracePeriod(0)
                        .delete();
                var next = slices.create("next", CORES_EACH, 1);
                SliceCluster.await(
                        "the freed part to be given out", () -> asked(second, slices.question(next), slices));
                var last = slices.create("last", CORES_EACH, 1);
                assertThat(asked(first, slices.question(last), slices)).isFalse();
            }
        }
    }

    private static boolean asked(Replica replica, String question, SliceCluster slices) {
        try {
            return slices.nodes().contains(SliceCluster.chosen(replica.ask("predicates", question)));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** In a ConfigMap of this story's own: other stories must not be limited by it. */
    private static void limit(SliceCluster slices) {
        slices.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(slices.work())
                        .withName("gpuquota")
                        .endMetadata()
                        .addToData(
                                "gpu_quota",
                                "{\"%s\": {\"quota\": {\"M40\": %d}}}".formatted(slices.work(), GPUS_ALLOWED))
                        .build())
                .create();
    }

    private Path config(SliceCluster slices) throws IOException {
        return Files.writeString(directory.resolve("quota.yaml"), """
                QuotaConfigMapNamespace: %s
                QuotaConfigMapName: gpuquota
                GPUModelLabel: %s
                GPUPoolLabel: gaia.tencent.com/gpu-pool
                """.formatted(slices.work(), MODEL));
    }
}
