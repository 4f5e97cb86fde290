package dev.berth.kube.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OlderDefinitionTest {
    @Test
    void aServerThatDropsTheLinesIsNotTakenAtItsWord() {
        try (var server = new TestServer()) {
            var cluster = server.connect();
            var older = cluster.serialization()
                    .unmarshal(
                            NodeLedgerDefinition.yaml().replace("              lines:\n", "              devices:\n"),
                            CustomResourceDefinition.class);
            cluster.client().resource(older).create();
            TestServer.await("the kind", () -> NodeLedgerDefinition.served(cluster));
            var entry = Entry.confirmed(
                    new DeviceId("GPU-0"), Holder.pod(Door.PINNER, "default", "anna", "uid"), Share.WHOLE);
            try (var ledgers = new SharedNodeLedgers(cluster, _ -> OptionalInt.empty())) {
                assertThatThrownBy(() -> ledgers.decide(
                                new NodeName("worker"),
                                holdings -> new Decision.Decided<>(holdings.recording(entry), true),
                                Duration.ofSeconds(20)))
                        .hasMessageContaining("nodeledgers.berth.dev")
                        .hasMessageContaining("bring it up to date");
            }
        }
    }
}
