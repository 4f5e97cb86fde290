package dev.berth.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.DelayingProxy;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;

/**
 * Two schedulers, two processes, two leases, and always one device less than pods. What their watches bring is two
 * seconds old, so both decide on a picture in which the device is free.
 */
@OnBothServers
class DuelIT {
    private static final int BATCHES = 8;
    private static final int DEVICES = 25;
    private static final int NODES = 5;
    private static final Duration DELAY = Duration.ofSeconds(2);

    /** On a busy machine requests time out and are tried again; nobody wins by that, it only takes longer. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Story
    @Timeout(360)
    void ofTwoSchedulersOneGetsTheLastDevice(Dialogue server) {
        var stage = ClaimsStage.on(server);
        for (int node = 0; node < NODES; node++) {
            stage.node("duel-node-" + node);
        }
        for (int device = 0; device < DEVICES; device++) {
            stage.devices("duel-" + device, "duel-node-" + device % NODES, 1);
        }
        try (var proxy = DelayingProxy.start(server.cluster(), DELAY);
                var _ = stage.scheduler("duel-a", proxy.kubeconfig(), "kube-system");
                var _ = stage.scheduler("duel-b", proxy.kubeconfig(), "kube-system")) {
            for (int batch = 0; batch < BATCHES; batch++) {
                fight(server, stage, batch);
            }
        }
    }

    private static void fight(Dialogue server, ClaimsStage stage, int batch) {
        for (int device = 0; device < DEVICES; device++) {
            stage.pod(name("a", batch, device), "duel-a", "duel-" + device, "1m");
            stage.pod(name("b", batch, device), "duel-b", "duel-" + device, "1m");
        }
        var pods = await(server, ClaimsStage.PODS, list -> decided(list).size() == 2 * DEVICES);
        var bound = new HashMap<String, Integer>();
        pods.path("items")
                .valueStream()
                .filter(pod -> !ClaimsStage.nodeOf(pod).isEmpty())
                .forEach(
                        pod -> bound.merge(pod.at("/metadata/name").asText().replaceAll("^[ab]", ""), 1, Integer::sum));
        assertThat(bound).as("one of each pair has a node").hasSize(DEVICES);
        assertThat(bound.values()).as("and never both").containsOnly(1);
        assertThat(held(stage))
                .as("every device is in one claim")
                .hasSize(DEVICES)
                .doesNotHaveDuplicates();
        assertThat(contested(server)).as("no ledger shows two holders").isZero();
        for (int device = 0; device < DEVICES; device++) {
            stage.delete(name("a", batch, device));
            stage.delete(name("b", batch, device));
        }
        await(
                server,
                "/apis/berth.dev/v1alpha1/nodeledgers",
                list -> list.path("items")
                        .valueStream()
                        .filter(ledger -> ledger.at("/metadata/name").asText().startsWith("duel-node-"))
                        .allMatch(ledger -> ledger.at("/spec/lines").isEmpty()));
    }

    private static JsonNode await(Dialogue server, String path, Predicate<JsonNode> wanted) {
        var last = new JsonNode[1];
        Await.until(
                PATIENCE,
                () -> {
                    last[0] = server.quietly("GET", path, "").body();
                    return wanted.test(last[0]);
                },
                () -> "%s is still %s".formatted(path, last[0]));
        return last[0];
    }

    private static String name(String side, int batch, int device) {
        return "%s-%d-%d".formatted(side, batch, device);
    }

    private static Map<String, JsonNode> decided(JsonNode list) {
        var decided = new HashMap<String, JsonNode>();
        list.path("items")
                .valueStream()
                .filter(pod -> !ClaimsStage.nodeOf(pod).isEmpty()
                        || !ClaimsStage.refusal(pod).isEmpty())
                .forEach(pod -> decided.put(pod.at("/metadata/name").asText(), pod));
        return decided;
    }

    private static List<String> held(ClaimsStage stage) {
        return stage.claims()
                .valueStream()
                .flatMap(claim -> ClaimsStage.devices(claim).stream())
                .toList();
    }

    private static int contested(Dialogue server) {
        return server.quietly("GET", "/apis/berth.dev/v1alpha1/nodeledgers", "")
                .body()
                .path("items")
                .valueStream()
                .mapToInt(ledger -> ledger.at("/spec/summary/contested").asInt())
                .sum();
    }
}
