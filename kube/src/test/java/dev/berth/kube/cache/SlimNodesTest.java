package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class SlimNodesTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private static Node node() {
        return YAML.unmarshal("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: n1
                  labels: {zone: one, gpu-node-name: a}
                  annotations: {berth.dev/gpu-uuids: "GPU-a,GPU-b", kubectl.kubernetes.io/last-applied-configuration: all}
                spec: {unschedulable: true, taints: [{key: k, effect: NoSchedule}]}
                status:
                  capacity: {cpu: "8", nvidia.com/gpu: "2"}
                  allocatable: {cpu: "7", nvidia.com/gpu: "2"}
                  conditions:
                  - {type: MemoryPressure, status: "False", lastHeartbeatTime: "2026-11-16T06:00:00Z"}
                  - {type: Ready, status: "True", lastHeartbeatTime: "2026-11-16T06:00:00Z", message: ready}
                  images: [{names: [a, b], sizeBytes: 1}]
                  addresses: [{type: InternalIP, address: 10.0.0.1}]
                  nodeInfo: {machineID: m, systemUUID: s, bootID: b, kernelVersion: k, osImage: o, containerRuntimeVersion: c,
                    kubeletVersion: v, kubeProxyVersion: p, operatingSystem: linux, architecture: amd64}
                """, Node.class);
    }

    private static Node slimmed() {
        var node = node();
        new SlimNodes().accept(node);
        return node;
    }

    @Test
    void theRoomOnItIsTheSameAsBefore() {
        assertThat(NodeRoom.empty(slimmed())).isEqualTo(NodeRoom.empty(node()));
    }

    @Test
    void whatItSaysOfItsCardsStays() {
        assertThat(slimmed().getMetadata().getAnnotations()).containsOnlyKeys("berth.dev/gpu-uuids");
        assertThat(slimmed().getStatus().getCapacity()).containsKey("nvidia.com/gpu");
    }

    @Test
    void imagesAddressesAndHeartbeatsAreForgotten() {
        var status = slimmed().getStatus();

        assertThat(status.getImages()).isEmpty();
        assertThat(status.getAddresses()).isEmpty();
        assertThat(status.getNodeInfo()).isNull();
        assertThat(status.getConditions())
                .singleElement()
                .satisfies(condition -> assertThat(condition.getMessage()).isNull());
    }
}
