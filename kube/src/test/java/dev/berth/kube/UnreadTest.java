package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class UnreadTest {
    private final ObjectMapper json = watched();

    private static ObjectMapper watched() {
        var whole = Cluster.mapper();
        var _ = new KubernetesSerialization(whole, false);
        return Unread.without(whole);
    }

    @Test
    void whatADoorReadsOfAPodIsThere() throws Exception {
        var pod = json.readValue("""
                {"metadata": {"name": "anna", "annotations": {"a": "b"}, "managedFields": [{"manager": "somebody"}]},
                 "spec": {"nodeName": "worker", "schedulerName": "berth", "schedulingGates": [{"name": "gate"}],
                  "volumes": [{"name": "data", "emptyDir": {}}], "securityContext": {"runAsUser": 1},
                  "tolerations": [{"key": "gpu"}], "resourceClaims": [{"name": "claim"}],
                  "containers": [{"name": "main", "command": ["sleep"], "livenessProbe": {"exec": {"command": ["true"]}},
                   "volumeMounts": [{"name": "data", "mountPath": "/data"}], "restartPolicy": "Always",
                   "env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                   "ports": [{"hostPort": 80}], "resources": {"limits": {"nvidia.com/gpu": "1"}}}]},
                 "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}],
                  "containerStatuses": [{"name": "main", "state": {"running": {}}, "lastState": {"terminated": {"exitCode": 1}}}]}}
                """, Pod.class);

        var spec = pod.getSpec();
        var container = spec.getContainers().getFirst();
        assertThat(pod.getMetadata().getAnnotations()).containsEntry("a", "b");
        assertThat(spec.getNodeName()).isEqualTo("worker");
        assertThat(spec.getSchedulingGates()).hasSize(1);
        assertThat(spec.getTolerations()).hasSize(1);
        assertThat(spec.getResourceClaims()).hasSize(1);
        assertThat(container.getRestartPolicy()).isEqualTo("Always");
        assertThat(container.getEnv().getFirst().getValueFrom()).isNotNull();
        assertThat(container.getPorts().getFirst().getHostPort()).isEqualTo(80);
        assertThat(container.getResources().getLimits()).containsKey("nvidia.com/gpu");
        assertThat(pod.getStatus().getContainerStatuses().getFirst().getState().getRunning())
                .isNotNull();
    }

    @Test
    void whatNoDoorReadsIsPassedOver() throws Exception {
        var pod = json.readValue("""
                {"spec": {"volumes": [{"name": "data", "emptyDir": {"of another version": [1, {"deep": true}]}}],
                  "containers": [{"name": "main", "command": ["sleep"], "livenessProbe": {"exec": "no object"}}]}}
                """, Pod.class);

        assertThat(pod.getSpec().getVolumes()).isEmpty();
        assertThat(pod.getSpec().getAdditionalProperties()).isEmpty();
        assertThat(pod.getSpec().getContainers().getFirst().getCommand()).isEmpty();
    }

    @Test
    void whatADoorReadsOfANodeIsThere() throws Exception {
        var node = json.readValue("""
                {"metadata": {"name": "worker", "labels": {"pool": "a"}},
                 "spec": {"unschedulable": true, "taints": [{"key": "gpu", "effect": "NoSchedule"}], "podCIDRs": ["10.0.0.0/24"]},
                 "status": {"capacity": {"cpu": "4"}, "allocatable": {"cpu": "3"}, "images": [{"names": ["a"]}],
                  "nodeInfo": {"kubeletVersion": "v1.36.3"}, "conditions": [{"type": "Ready", "status": "True"}]}}
                """, Node.class);

        assertThat(node.getSpec().getUnschedulable()).isTrue();
        assertThat(node.getSpec().getTaints()).hasSize(1);
        assertThat(node.getStatus().getAllocatable()).containsKey("cpu");
        assertThat(node.getStatus().getConditions()).hasSize(1);
        assertThat(node.getStatus().getImages()).isEmpty();
    }
}
