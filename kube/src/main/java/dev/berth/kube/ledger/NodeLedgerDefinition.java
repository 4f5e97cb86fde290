package dev.berth.kube.ledger;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The CRD of the node ledger. */
public final class NodeLedgerDefinition {
    private static final String NAME = "nodeledgers.berth.dev";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private NodeLedgerDefinition() {}

    /** The definition as YAML, for {@code kubectl apply}. */
    public static String yaml() {
        try (var in = NodeLedgerDefinition.class.getResourceAsStream(NAME + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the definition is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whether the API server serves node ledgers; a server that cannot be asked is an exception, not a no. */
    public static boolean served(Cluster cluster) {
        return cluster.serves("berth.dev/v1alpha1", "nodeledgers", PATIENCE);
    }

    /** Creates the definition, or brings it up to date, and waits until it is served. */
    public static void install(Cluster cluster) {
        var wanted = cluster.serialization().unmarshal(yaml(), CustomResourceDefinition.class);
        var definitions = cluster.client().apiextensions().v1().customResourceDefinitions();
        cluster.retry().run(Repeat.IF_CONFLICT, PATIENCE, () -> {
            var current = definitions.withName(NAME).get();
            if (current == null) {
                definitions.resource(wanted).create();
            } else {
                current.setSpec(wanted.getSpec());
                definitions.resource(current).update();
            }
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int looks = 1; !served(cluster); looks++) {
            if (System.nanoTime() > deadline || !cluster.retry().pause(looks)) {
                throw new IllegalStateException("the API server does not serve %s after %s".formatted(NAME, PATIENCE));
            }
        }
    }
}
