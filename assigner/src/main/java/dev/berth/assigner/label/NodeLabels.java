package dev.berth.assigner.label;

import dev.berth.assigner.wire.DeviceLabels;
import dev.berth.assigner.wire.DeviceLabels.UnreadableException;
import dev.berth.assigner.wire.Keys;
import dev.berth.kube.Cluster;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;

/** Writes the annotation in which the assigner finds a node's GPUs. */
public final class NodeLabels {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Cluster cluster;

    public NodeLabels(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Adds these GPUs to the node's, or puts them in place of all that it had; what the node has then.
     *
     * @param byIndex the UUIDs by index, for doors that know GPUs by that; empty if that is not known
     * @throws IllegalStateException for a node that is not there, or whose annotation cannot be read and is to be added
     *     to
     */
    public DeviceLabels write(
            String node, Map<String, ? extends SortedSet<String>> devices, List<String> byIndex, boolean instead) {
        return cluster.retry().call(Repeat.IF_CONFLICT, PATIENCE, () -> {
            var found = cluster.client().nodes().withName(node).get();
            if (found == null) {
                throw new IllegalStateException("there is no node '%s'".formatted(node));
            }
            var labels = (instead ? DeviceLabels.NONE : present(found)).with(devices);
            cluster.client()
                    .nodes()
                    .resource(new NodeBuilder(found)
                            .editMetadata()
                            .addToAnnotations(Keys.DEVICE_LABELS, labels.encode())
                            .addToAnnotations(
                                    byIndex.isEmpty()
                                            ? Map.of()
                                            : Map.of(CardUuids.ANNOTATION, CardUuids.text(byIndex)))
                            .endMetadata()
                            .build())
                    .update();
            return labels;
        });
    }

    private static DeviceLabels present(Node node) {
        var annotations = Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.<String, String>of());
        var annotation = annotations.getOrDefault(Keys.DEVICE_LABELS, "");
        try {
            return annotation.isEmpty() ? DeviceLabels.NONE : DeviceLabels.decode(annotation);
        } catch (UnreadableException problem) {
            throw new IllegalStateException(
                    "the node's annotation %s cannot be read, so nothing can be added to it (--replace writes it anew): %s"
                            .formatted(Keys.DEVICE_LABELS, problem.getMessage()));
        }
    }
}
