package dev.berth.apiserver.node;

import static dev.berth.apiserver.api.MemoryApi.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.MemoryApi;
import dev.berth.apiserver.api.Resources;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SimulatedNodesTest {
    private static final Resource CLAIMS = new Resource("devmgmtproto.k8s.io", "v1alpha1", "deviceclaims");

    private final MemoryApi api = new MemoryApi();
    private final SimulatedNodes nodes = new SimulatedNodes(api, InstantSource.system(), "v1.36.3");

    @BeforeEach
    void twoNodes() {
        nodes.add("gpu", 2, NodeShape.withGpus(8, "NVIDIA-H100", 81920));
    }

    @AfterEach
    void close() {
        nodes.close();
        api.close();
    }

    private void pod(String node, String restartPolicy, String annotations) {
        api.create(Resources.PODS, """
                metadata: {name: p, namespace: team, annotations: {%s}}
                spec: {nodeName: %s, restartPolicy: %s, containers: [{name: c, image: i}]}
                status: {phase: Pending, conditions: [{type: PodScheduled, status: 'True'}]}
                """.formatted(annotations, node, restartPolicy));
    }

    private JsonNode status() {
        return api.get(Resources.PODS, "team", "p").orElseThrow().path("status");
    }

    private void awaitPhase(String phase) {
        eventually(() -> status().path("phase").asText().equals(phase));
    }

    @Test
    void aNodeSaysWhatItHas() {
        ObjectNode node = api.get(Resources.NODES, "", "gpu-1").orElseThrow();
        assertThat(node.at("/status/allocatable").path("nvidia.com/gpu").asText())
                .isEqualTo("8");
        assertThat(node.at("/metadata/labels").path("nvidia.com/gpu.product").asText())
                .isEqualTo("NVIDIA-H100");
        assertThat(node.at("/metadata/labels").path("kubernetes.io/hostname").asText())
                .isEqualTo("gpu-1");
        assertThat(node.at("/status/conditions/3/type").asText()).isEqualTo("Ready");
        ObjectNode lease = api.get(Resources.LEASES, "kube-node-lease", "gpu-1").orElseThrow();
        assertThat(lease.at("/spec/holderIdentity").asText()).isEqualTo("gpu-1");
        assertThat(lease.at("/spec/renewTime").asText()).matches("....-..-..T..:..:..\\.\\d{6}Z");
    }

    @Test
    void whatIsBoundRuns() {
        pod("gpu-0", "Always", "berth.dev/run-seconds: '0.01'");
        awaitPhase("Running");
        assertThat(status().path("podIP").asText()).startsWith("10.");
        assertThat(status().path("hostIP").asText()).startsWith("10.192.");
        assertThat(status().at("/containerStatuses/0/state/running/startedAt").asText())
                .endsWith("Z");
        assertThat(status().path("conditions").findValuesAsText("type"))
                .containsExactly(
                        "PodScheduled", "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");
    }

    @Test
    void aPodSucceedsAfterTheTimeItNames() {
        pod("gpu-0", "Never", "berth.dev/run-seconds: '0.02'");
        awaitPhase("Succeeded");
        assertThat(status().at("/containerStatuses/0/state/terminated/exitCode").asInt(-1))
                .isZero();
        assertThat(status().at("/containerStatuses/0/ready").asBoolean(true)).isFalse();
    }

    @Test
    void aPodFailsWhenItSaysSo() {
        pod("gpu-0", "Never", "berth.dev/run-seconds: '0.02', berth.dev/fail: 'true'");
        awaitPhase("Failed");
        assertThat(status().at("/containerStatuses/0/state/terminated/reason").asText())
                .isEqualTo("Error");
    }

    @Test
    void aPodWhoseStatusCouldNotBeWrittenIsTriedAgain() {
        api.refuseStatus(Resources.PODS);
        pod("gpu-0", "Never", "berth.dev/run-seconds: '0.02'");
        awaitPhase("Succeeded");
    }

    @Test
    void aDeletedPodIsRemoved() {
        pod("gpu-0", "Always", "");
        awaitPhase("Running");
        api.delete(Resources.PODS, "team", "p", Deletion.PLAIN);
        eventually(() -> api.get(Resources.PODS, "team", "p").isEmpty());
    }

    @Test
    void aPodThatStopsSlowlyIsTerminatingMeanwhile() {
        pod("gpu-0", "Always", "berth.dev/stop-seconds: '0.2'");
        awaitPhase("Running");
        api.delete(Resources.PODS, "team", "p", Deletion.PLAIN);
        assertThat(api.get(Resources.PODS, "team", "p")).isPresent();
        eventually(() -> api.get(Resources.PODS, "team", "p").isEmpty());
    }

    @Test
    void podsOfOtherNodesAreLeftAlone() {
        pod("real", "Always", "");
        api.create(Resources.PODS, "{metadata: {name: q, namespace: team}, spec: {nodeName: gpu-0}}");
        eventually(() -> api.get(Resources.PODS, "team", "q")
                .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
                .isPresent());
        assertThat(status().path("phase").asText()).isEqualTo("Pending");
    }

    @Test
    void manyNodesShareOneTimer() {
        nodes.add("many", 1000, NodeShape.withGpus(0, "", 0));
        for (int i = 0; i < 5_000; i++) {
            api.create(Resources.PODS, """
                    {"metadata": {"name": "m-%d", "namespace": "team"}, "spec": {"nodeName": "many-%d"}}
                    """.formatted(i, i % 1000));
        }
        eventually(() -> api.list(Resources.PODS, "team", Map.of()).stream()
                .allMatch(pod -> pod.at("/status/phase").asText().equals("Running")));
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("simulated-nodes"))
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void theDevicesOfARunningPodAreReadyAndNetworkDevicesHaveAnAddress() {
        device("devicedrivers", "metadata: {name: sriov-nic}\ndeviceTypes: [sriov-nic]");
        device("devicepools", "metadata: {name: nics}\nspec: {driver: sriov-nic}");
        device("devicepools", "metadata: {name: gpus}\nspec: {driver: foozer}");
        device("deviceclaims", """
                metadata: {name: mine, namespace: team}
                status:
                  podNames: [p]
                  allocations: [{devicePoolName: gpus, deviceName: a}, {devicePoolName: nics, deviceName: b}]
                """);
        device("deviceclaims", """
                metadata: {name: theirs, namespace: team}
                status: {podNames: [q], allocations: [{devicePoolName: gpus, deviceName: b}]}
                """);

        pod("gpu-0", "Always", "devmgmtproto.k8s.io/device-claims: '{}'");

        eventually(() -> claim("mine").path("deviceStatuses").size() == 2);
        assertThat(claim("mine").at("/deviceStatuses/0/conditions/0/type").asText())
                .isEqualTo("Ready");
        assertThat(claim("mine").at("/deviceStatuses/0").has("deviceIPs")).isFalse();
        assertThat(claim("mine").at("/deviceStatuses/1/deviceIPs/0/ip").asText())
                .startsWith("10.224.");
        assertThat(claim("theirs").has("deviceStatuses")).isFalse();
    }

    @Test
    void aDriverWhoseStatusCouldNotBeWrittenTriesAgainThoughThePodRuns() {
        device("deviceclaims", """
                metadata: {name: mine, namespace: team}
                status: {podNames: [p], allocations: [{devicePoolName: gpus, deviceName: a}]}
                """);
        api.refuseStatus(CLAIMS);

        pod("gpu-0", "Always", "devmgmtproto.k8s.io/device-claims: '{}'");

        eventually(() -> claim("mine").path("deviceStatuses").size() == 1);
    }

    private void device(String plural, String yaml) {
        api.create(new Resource("devmgmtproto.k8s.io", "v1alpha1", plural), yaml);
    }

    private JsonNode claim(String name) {
        return api.get(CLAIMS, "team", name).orElseThrow().path("status");
    }
}
