package dev.berth.assigner;

import static dev.berth.assigner.Stage.review;
import static dev.berth.assigner.Stage.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.wire.DeviceLabels;
import dev.berth.assigner.wire.Keys;
import dev.berth.web.Limits;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an API server that refuses something leads to: the truth, and nothing that stays behind. */
class ObstaclesTest {
    private final AtomicReference<Obstacle> placed = new AtomicReference<>();
    private final Stage stage = new Stage(true, AssignerSettings.DEFAULT, Limits.DEFAULT, this::place);

    private URI place(URI server) {
        placed.set(new Obstacle(server));
        placed.get().refuse("GET", "/api/v1/nodes", 403);
        return placed.get().url();
    }

    @AfterEach
    void close() {
        stage.close();
        placed.get().close();
    }

    @Test
    void nodesThatMayNotBeListedAreNotNodesWithoutGpus() throws Exception {
        var answer = ask("req-1", "p1", "1s");

        assertThat(answer.path("status").path("code").asInt()).isEqualTo(500);
        assertThat(answer.path("status").path("message").asText()).contains("are not all known yet");
    }

    @Test
    void aLedgerThatCannotBeWrittenCostsTheNodeNoRoom() throws Exception {
        ready();
        offer("n1", "1");
        placed.get().refuse("PUT", "/nodeledgers/n1", 403);
        placed.get().refuse("POST", "/nodeledgers", 403);
        placed.get().refuse("PATCH", "/nodeledgers/n1", 403);
        assertThat(ask("req-1", "p1", "9s").path("status").path("code").asInt()).isEqualTo(500);

        placed.get().clear();

        assertThat(value(ask("req-2", "p2", "9s"), 1)).isEqualTo("GPU-1");
    }

    @Test
    void aMissingClaimsNamespaceKeepsNoGpu() throws Exception {
        ready();
        offer("n1", "4");
        placed.get().refuse("POST", "/leases", 404);
        placed.get().refuse("POST", "/api/v1/namespaces", 403);
        assertThat(ask("req-1", "p1", "9s").path("status").path("message").asText())
                .contains("the namespace gpu-claims does not exist and cannot be made");

        placed.get().clear();

        assertThat(value(ask("req-2", "p2", "9s"), 1)).isEqualTo("GPU-1");
    }

    private void ready() {
        placed.get().clear();
        stage.awaitReady();
    }

    /** A node with one GPU and so much cpu; the GPU last, so that whoever has heard of it knows the node's size. */
    private void offer(String node, String cpu) throws Exception {
        stage.node(node);
        var nodes = stage.cluster.client().nodes();
        nodes.withName(node)
                .editStatus(found -> new NodeBuilder(found)
                        .editStatus()
                        .withAllocatable(Map.of("cpu", new Quantity(cpu), "pods", new Quantity("10")))
                        .endStatus()
                        .build());
        var labels = new DeviceLabels(new TreeMap<>(Map.of("GPU-1", new TreeSet<>(Set.of("fudo.org/gpu.a100")))));
        nodes.withName(node)
                .edit(found -> new NodeBuilder(found)
                        .editMetadata()
                        .addToAnnotations(Keys.DEVICE_LABELS, labels.encode())
                        .endMetadata()
                        .build());
        stage.awaitDevice("GPU-1");
    }

    /** A pod that asks for a GPU and one cpu. */
    private JsonNode ask(String uid, String pod, String within) throws Exception {
        var review = review(uid, pod, 1, "a100");
        ((ObjectNode) review.at("/request/object/spec/containers/0/resources/requests")).put("cpu", "1");
        var response = stage.post("api", "/mutate?timeout=" + within, review.toString());
        return Stage.JSON.readTree(response.body()).path("response");
    }
}
