package dev.berth.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.HashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/**
 * A driver on a hundred nodes, and a thousand pods that want all of its thousand devices: every pod is placed, no
 * device is given twice, and nothing is left of it afterwards.
 */
@OnBothServers(controllers = true)
class DraCrowdIT {
    private static final int NODES = 100;
    private static final int PODS = 1000;

    @Story
    @Timeout(600)
    void aThousandPodsArePlacedAndLeaveNothingBehind(Dialogue server) {
        var stage = new DraStage(server, "crowd.dra.example.com");
        stage.nodes("dra-crowd", NODES, PODS / NODES);
        try (var _ = stage.scheduler("dra-crowd", "dra-crowd")) {
            stage.pods(PODS, "dra-crowd");
            stage.awaitWaiting(0);
            everyDeviceIsGivenOnce(stage);
            stage.endAll("dra-crowd");
        }
    }

    /** Under two leases, so that both place pods all the time, as when a leader is too slow to see that it lost. */
    @Story
    @Timeout(600)
    void twoSchedulersOfOneNameGiveNoDeviceTwice(Dialogue server) {
        var stage = new DraStage(server, "twins.dra.example.com");
        stage.nodes("dra-twins", NODES, PODS / NODES);
        try (var _ = stage.scheduler("dra-twins", "dra-twins-a");
                var _ = stage.scheduler("dra-twins", "dra-twins-b")) {
            stage.pods(PODS, "dra-twins");
            stage.awaitWaiting(0);
            everyDeviceIsGivenOnce(stage);
            stage.endAll("dra-twins");
        }
    }

    @Story
    @Timeout(600)
    void oneSchedulerIsKilledHalfWayAndTheOtherFinishes(Dialogue server) throws Exception {
        var stage = new DraStage(server, "heirs.dra.example.com");
        stage.nodes("dra-heirs", NODES, PODS / NODES);
        var first = stage.scheduler("dra-heirs", "dra-heirs");
        var second = CompletableFuture.supplyAsync(() -> stage.scheduler("dra-heirs", "dra-heirs"));
        try {
            stage.pods(PODS / 2, "dra-heirs");
            stage.awaitWaiting(PODS / 4);
            first.kill();
            for (int pod = PODS / 2; pod < PODS; pod++) {
                stage.podOfTemplate("pod-%04d".formatted(pod), "dra-heirs");
            }
            stage.awaitWaiting(0);
            everyDeviceIsGivenOnce(stage);
            stage.endAll("dra-heirs");
        } finally {
            first.close();
            second.get(2, TimeUnit.MINUTES).close();
        }
    }

    private static void everyDeviceIsGivenOnce(DraStage stage) {
        var pools = new HashMap<String, String>();
        var devices = stage.claims().stream()
                .peek(claim -> pools.put(
                        claim.at("/status/reservedFor/0/name").asText(),
                        claim.at("/status/allocation/devices/results/0/pool").asText()))
                .flatMap(claim -> DraStage.devices(claim).stream())
                .toList();
        assertThat(devices).hasSize(PODS).doesNotHaveDuplicates();
        var pods = stage.pods();
        assertThat(pods)
                .hasSize(PODS)
                .allSatisfy(pod -> assertThat(ClaimsStage.nodeOf(pod))
                        .isEqualTo(pools.get(pod.at("/metadata/name").asText())));
    }
}
