package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;

/** Nodes and pods written as people write them. */
final class Examples {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private Examples() {}

    /** A pod with this spec, in flow YAML; without containers it gets one that asks for nothing. */
    static PodNeeds pod(String name, String spec) {
        return PodNeeds.of(podObject(name, "default", "", spec));
    }

    static PodNeeds pod(String name, String namespace, String labels, String spec) {
        return PodNeeds.of(podObject(name, namespace, labels, spec));
    }

    static Pod podObject(String name, String namespace, String labels, String spec) {
        var containers = spec.contains("containers:") ? "" : "containers: [{name: c, image: i}], ";
        return YAML.unmarshal(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: "%s", namespace: "%s", uid: "uid-%s", labels: {%s}}
                spec: {%s%s}
                """.formatted(name, namespace, name, labels, containers, spec.isEmpty() ? "nodeSelector: {}" : spec),
                Pod.class);
    }

    static NodeRoom node(String name) {
        return node(name, "", "");
    }

    /** A Ready node with four cores, 8Gi, two GPUs and room for ten pods. */
    static NodeRoom node(String name, String labels, String spec) {
        return NodeRoom.empty(nodeObject(name, labels, spec, "{type: Ready, status: \"True\"}"));
    }

    static Node nodeObject(String name, String labels, String spec, String conditions) {
        return YAML.unmarshal("""
                apiVersion: v1
                kind: Node
                metadata: {name: "%s", labels: {kubernetes.io/hostname: "%s", %s}}
                spec: {%s}
                status:
                  allocatable: {cpu: "4", memory: 8Gi, pods: "10", nvidia.com/gpu: "2"}
                  conditions: [%s]
                """.formatted(name, name, labels, spec, conditions), Node.class);
    }

    static Fit fit(PodNeeds pod, NodeRoom... nodes) {
        return Fit.of(pod, List.of(nodes), _ -> Map.of());
    }
}
