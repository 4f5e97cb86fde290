package dev.berth.e2e.chart;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** A large node that no kubelet stands behind. */
final class ReadyNode {
    private ReadyNode() {}

    /** Creates it, makes it Ready with that many GPUs, and lets pods onto it. */
    static void create(KubernetesClient client, Node node, int gpus) {
        var name = node.getMetadata().getName();
        var count = new Quantity(String.valueOf(gpus));
        client.resource(node).create();
        client.nodes()
                .withName(name)
                .editStatus(each -> new NodeBuilder(each)
                        .editOrNewStatus()
                        .addToAllocatable("cpu", new Quantity("64"))
                        .addToAllocatable("memory", new Quantity("256Gi"))
                        .addToAllocatable("pods", new Quantity("110"))
                        .addToAllocatable("nvidia.com/gpu", count)
                        .addToCapacity("nvidia.com/gpu", count)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        // Nobody beside the real server takes away the taint that it puts on every new node; beside the embedded one
        // somebody may be faster, so that the patch must work without the taint, too.
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"taints\": null}}");
    }
}
