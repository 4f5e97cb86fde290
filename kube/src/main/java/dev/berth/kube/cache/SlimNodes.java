package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Takes away from a node what no door reads: its images, addresses and system, which are most of it, and the heartbeats
 * of its conditions. What it is called, how it is labelled, what it offers and whether it is ready stays.
 */
public final class SlimNodes implements Consumer<Node> {
    private static final String READY = "Ready";
    /** A copy of the whole object, which kubectl apply leaves behind. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final Common common = new Common();

    @Override
    public void accept(Node node) {
        slim(node.getMetadata(), common);
        if (node.getStatus() != null) {
            node.setStatus(slim(node.getStatus()));
        }
        node.setAdditionalProperties(common.map(node.getAdditionalProperties()));
    }

    private static NodeCondition slim(NodeCondition whole) {
        var condition = new NodeCondition();
        condition.setType(whole.getType());
        condition.setStatus(whole.getStatus());
        return condition;
    }

    static void slim(ObjectMeta metadata, Common common) {
        metadata.setNamespace(common.one(metadata.getNamespace()));
        metadata.setLabels(common.map(metadata.getLabels()));
        metadata.setManagedFields(List.of());
        if (metadata.getFinalizers() == null || metadata.getFinalizers().isEmpty()) {
            metadata.setFinalizers(List.of());
        }
        metadata.setAdditionalProperties(common.map(metadata.getAdditionalProperties()));
        var annotations = metadata.getAnnotations();
        if (annotations != null) {
            var kept = new HashMap<>(annotations);
            kept.remove(LAST_APPLIED);
            metadata.setAnnotations(Common.small(kept));
        }
    }

    private NodeStatus slim(NodeStatus whole) {
        var status = new NodeStatus();
        status.setCapacity(common.map(whole.getCapacity()));
        status.setAllocatable(common.map(whole.getAllocatable()));
        status.setConditions(Objects.requireNonNullElse(whole.getConditions(), List.<NodeCondition>of()).stream()
                .filter(condition -> READY.equals(condition.getType()))
                .map(SlimNodes::slim)
                .toList());
        status.setAddresses(List.of());
        status.setDeclaredFeatures(List.of());
        status.setImages(List.of());
        status.setRuntimeHandlers(List.of());
        status.setVolumesAttached(List.of());
        status.setVolumesInUse(List.of());
        status.setAdditionalProperties(common.map(whole.getAdditionalProperties()));
        return Objects.requireNonNull(common.one(status));
    }
}
