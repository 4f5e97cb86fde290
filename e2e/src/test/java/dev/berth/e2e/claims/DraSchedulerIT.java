package dev.berth.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The claims scheduler speaks {@code resource.k8s.io/v1}. */
@OnBothServers
class DraSchedulerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NODES = 100;

    /** Set {@code BERTH_DRA_PODS=1000} for the long version. */
    private static final int PODS = Optional.ofNullable(System.getenv("BERTH_DRA_PODS"))
            .map(Integer::parseInt)
            .orElse(300);

    @Story
    void aClaimIsWrittenAsTheApiDefinesItAndGivenBack(Dialogue server) {
        var stage = new DraStage(server, "one.dra.example.com");
        stage.node("dra-one", 2);
        try (var _ = stage.scheduler("dra-one", "a")) {
            stage.pod("first", "dra-one");
            server.await(
                    DraStage.PODS + "/first", pod -> !ClaimsStage.nodeOf(pod).isEmpty());

            var claim = server.await(DraStage.CLAIMS + "/first", each -> true);
            assertThat(DraStage.devices(claim)).containsExactly("dra-one/gpu-0");
            assertThat(claim.at("/status/reservedFor/0/resource").asText()).isEqualTo("pods");
            assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("first");
            assertThat(claim.at("/status/allocation/devices/results/0/request").asText())
                    .isEqualTo("gpu");
            assertThat(claim.at("/metadata/finalizers/0").asText())
                    .isEqualTo("resource.kubernetes.io/delete-protection");
            stage.pod("second", "dra-one");
            stage.pod("third", "dra-one");
            assertThat(ClaimsStage.refusal(server.await(
                            DraStage.PODS + "/third",
                            pod -> !ClaimsStage.refusal(pod).isEmpty())))
                    .contains("gpu wants 1 device", "2 held by");
            var said = BerthProcess.run(
                    "explain",
                    "pod",
                    "third",
                    "--namespace=" + server.namespace(),
                    "--kubeconfig=" + server.cluster().kubeconfig());
            assertThat(said.out()).as(said.err()).contains("gpu wants 1 device, of 2: 2 held by");

            server.quietly("DELETE", DraStage.PODS + "/first", "{gracePeriodSeconds: 0}");

            server.await(
                    DraStage.PODS + "/third", pod -> !ClaimsStage.nodeOf(pod).isEmpty());
            server.await(
                    DraStage.CLAIMS + "/first",
                    each -> DraStage.devices(each).isEmpty()
                            && each.at("/metadata/finalizers").isEmpty());
        }
    }

    @Story
    void oneSchedulerIsKilledHalfWayAndTheOtherFinishes(Dialogue server) throws Exception {
        var stage = new DraStage(server, "many.dra.example.com");
        int perNode = (PODS + NODES - 1) / NODES;
        for (int node = 0; node < NODES; node++) {
            stage.node("dra-%03d".formatted(node), perNode);
        }
        var first = stage.scheduler("dra-many", "a");
        var second = CompletableFuture.supplyAsync(() -> stage.scheduler("dra-many", "b"));
        try {
            for (int pod = 0; pod < PODS; pod++) {
                stage.pod("pod-%04d".formatted(pod), "dra-many");
                if (pod == PODS / 2) {
                    first.kill();
                }
            }
            Await.until(
                    PATIENCE,
                    () -> placed(stage) == PODS,
                    () -> "%d of %d pods are placed".formatted(placed(stage), PODS));
            var devices = stage.claims().stream()
                    .flatMap(claim -> DraStage.devices(claim).stream())
                    .toList();
            assertThat(devices).hasSize(PODS).doesNotHaveDuplicates();
            var pools = new HashMap<String, String>();
            stage.claims()
                    .forEach(claim -> pools.put(
                            claim.at("/metadata/name").asText(),
                            claim.at("/status/allocation/devices/results/0/pool")
                                    .asText()));
            for (var pod : stage.pods()) {
                assertThat(ClaimsStage.nodeOf(pod))
                        .isEqualTo(pools.get(pod.at("/metadata/name").asText()));
            }

            server.quietly("DELETE", DraStage.PODS + "?gracePeriodSeconds=0", "");

            Await.until(
                    PATIENCE,
                    () -> stage.claims().stream()
                            .allMatch(claim -> DraStage.devices(claim).isEmpty()),
                    () -> "some claims still have devices");
            Await.until(PATIENCE, () -> held(server) == 0, () -> "%d devices are still held".formatted(held(server)));
        } finally {
            first.close();
            second.get(2, TimeUnit.MINUTES).close();
        }
    }

    private static long placed(DraStage stage) {
        return stage.pods().stream()
                .filter(pod -> !ClaimsStage.nodeOf(pod).isEmpty())
                .count();
    }

    private static long held(Dialogue server) {
        return server.quietly("GET", "/apis/berth.dev/v1alpha1/nodeledgers", "")
                .body()
                .path("items")
                .valueStream()
                .filter(page -> page.at("/metadata/name").asText().matches("dra-\\d+"))
                .filter(page -> page.toString().contains("gpu-"))
                .count();
    }
}
