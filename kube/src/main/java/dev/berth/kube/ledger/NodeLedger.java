package dev.berth.kube.ledger;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** One node's ledger as fabric8 wants to see it: the record of it is {@link NodeLedgerSpec}. */
@Group("berth.dev")
@Version("v1alpha1")
public class NodeLedger extends CustomResource<NodeLedgerSpec, Void> {
    private static final long serialVersionUID = 1;

    @Override
    protected NodeLedgerSpec initSpec() {
        return NodeLedgerSpec.EMPTY;
    }

    @Override
    protected @Nullable Void initStatus() {
        return null;
    }
}
