package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.Metadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Single reads and writes of ledger objects. Each write names the version it replaces, or that there is none. */
final class LedgerStore {
    private static final String PATH = "/apis/berth.dev/v1alpha1/nodeledgers";

    private final Cluster cluster;
    private final Function<NodeName, OptionalInt> deviceCount;

    LedgerStore(Cluster cluster, Function<NodeName, OptionalInt> deviceCount) {
        this.cluster = cluster;
        this.deviceCount = deviceCount;
    }

    /** How many of the node's devices nobody holds, or as many as can be where nobody knows how many it has. */
    int free(NodeName node, Optional<LedgerPage> page) {
        int held = page.map(known -> known.holdings().byDevice().size()).orElse(0);
        var all = deviceCount.apply(node);
        return all.isPresent() ? all.getAsInt() - held : Integer.MAX_VALUE;
    }

    LedgerPage read(NodeName node) {
        return cluster.courier()
                .get(PATH + "/" + node.value(), NodeLedger.class)
                .map(this::page)
                .orElse(LedgerPage.ABSENT);
    }

    LedgerPage write(NodeName node, LedgerPage base, Holdings holdings) {
        var spec = LedgerText.write(holdings, deviceCount.apply(node));
        var next = new NodeLedger();
        next.setSpec(spec);
        if (base.object().isEmpty()) {
            next.setMetadata(Metadata.named(node.value()));
            return written(holdings, spec, cluster.courier().ask("POST", PATH, next, NodeLedger.class));
        }
        next.setMetadata(untracked(base.object().get().getMetadata()));
        return written(holdings, spec, cluster.courier().ask("PUT", PATH + "/" + node.value(), next, NodeLedger.class));
    }

    /** A server that knows an older definition drops what that does not know, and says that all went well. */
    private static LedgerPage written(Holdings holdings, NodeLedgerSpec spec, NodeLedger answer) {
        if (answer.getSpec().lines().size() != spec.lines().size()) {
            throw new IllegalStateException(
                    "the API server does not keep the lines of a NodeLedger: its definition nodeledgers.berth.dev is not the one of this version, bring it up to date");
        }
        return new LedgerPage(Optional.of(answer), version(answer), holdings);
    }

    /**
     * The API server then no longer works out, at each update, who owns which line: only Berth writes here, and that is
     * most of what an update costs.
     */
    private static ObjectMeta untracked(ObjectMeta metadata) {
        var untracked = Metadata.copy(metadata);
        untracked.setManagedFields(List.of(new ManagedFieldsEntry()));
        return untracked;
    }

    boolean fits(Holdings holdings) {
        if (LedgerText.sizeAtMost(holdings) <= LedgerText.LARGEST) {
            return true;
        }
        var text = cluster.serialization().asJson(LedgerText.write(holdings, OptionalInt.of(0)));
        return text.getBytes(StandardCharsets.UTF_8).length <= LedgerText.LARGEST;
    }

    LedgerPage page(NodeLedger object) {
        return new LedgerPage(Optional.of(object), version(object), LedgerText.read(object.getSpec()));
    }

    /** Kubernetes promises since 1.35 that resource versions are numbers that grow. */
    static long version(NodeLedger object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }
}
