package dev.berth.kube.ledger;

import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionException;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Which ledger a door keeps, as a picocli mixin. */
public final class LedgerFlags {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerFlags.class);

    enum Mode {
        shared,
        own
    }

    @Option(
            names = "--ledger",
            paramLabel = "shared|own",
            description =
                    "shared: node ledgers in the API server, safe for several replicas and doors. own: in memory, safe for one replica. Default: shared where NodeLedger is served.")
    private @Nullable Mode mode;

    /** The ledgers to use, for a door that knows nodes' cards like this. */
    public NodeLedgers open(Cluster cluster, DoorCards cards) {
        if (mode == Mode.own) {
            return new OwnNodeLedgers();
        }
        if (served(cluster)) {
            return NamedLedgers.shared(cluster, cards);
        }
        if (mode == Mode.shared) {
            throw new ConnectionException(
                    "--ledger=shared needs the CRD nodeledgers.berth.dev, which this API server does not serve");
        }
        LOG.warn("NodeLedger is not served, the ledger is this process's own: safe for one replica of one door only."
                + " Install the CRD nodeledgers.berth.dev to run more.");
        return new OwnNodeLedgers();
    }

    private static boolean served(Cluster cluster) {
        try {
            return NodeLedgerDefinition.served(cluster);
        } catch (KubernetesClientException problem) {
            // fabric8's own words for a server that is not there are "An error has occurred."
            throw new ConnectionException(
                    "the API server %s was asked whether it serves NodeLedgers: %s"
                            .formatted(cluster.address(), problem.getCode() > 0 ? Failure.words(problem) : "no answer"),
                    problem);
        }
    }
}
