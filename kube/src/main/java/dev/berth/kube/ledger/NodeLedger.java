package dev.berth.kube.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * One node's ledger as fabric8 wants to see it: the record of it is {@link NodeLedgerSpec}. Not a
 * {@code CustomResource}, which works out all its names from its annotations for each object.
 */
@Group("berth.dev")
@Version("v1alpha1")
@JsonDeserialize(using = JsonDeserializer.None.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public class NodeLedger implements HasMetadata {
    private static final String API_VERSION = "berth.dev/v1alpha1";
    private static final String KIND = "NodeLedger";
    private static final long serialVersionUID = 1;

    private ObjectMeta metadata = new ObjectMeta();
    private transient NodeLedgerSpec spec = NodeLedgerSpec.EMPTY;

    @Override
    public String getApiVersion() {
        return API_VERSION;
    }

    /** It has one. */
    @Override
    public void setApiVersion(String version) {}

    @Override
    public String getKind() {
        return KIND;
    }

    /** The same. */
    public void setKind(String kind) {}

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }

    public NodeLedgerSpec getSpec() {
        return spec;
    }

    public void setSpec(NodeLedgerSpec spec) {
        this.spec = spec;
    }
}
