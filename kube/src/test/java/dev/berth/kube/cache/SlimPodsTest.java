package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class SlimPodsTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata:
              name: trainer-0
              namespace: vision
              uid: "1"
              labels: {app: trainer}
              annotations:
                berth.dev/pinned-gpus: "0"
                kubectl.kubernetes.io/last-applied-configuration: a copy of all this
              ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: trainer, uid: "2", controller: true}]
            spec:
              nodeName: %s
              schedulerName: pinner
              priority: 7
              nodeSelector: {zone: one}
              tolerations: [{key: nvidia.com/gpu, operator: Exists}]
              affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
                {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: trainer}}}]}}
              topologySpreadConstraints: [
                {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: trainer}}}]
              overhead: {cpu: 10m}
              resourceClaims: [{name: gpu, resourceClaimName: mine}]
              volumes: [{name: data, emptyDir: {}}]
              initContainers:
              - {name: sidecar, image: s, restartPolicy: Always, resources: {requests: {cpu: 100m}}, ports: [{containerPort: 1, hostPort: 8080}]}
              containers:
              - name: main
                image: registry.example.com/trainer
                command: [python]
                env: [{name: SETTING, value: x}]
                ports: [{containerPort: 80}, {containerPort: 81, hostPort: 81}]
                resources: {requests: {cpu: "2", memory: 4Gi}, limits: {nvidia.com/gpu: "1"}, claims: [{name: gpu}]}
                volumeMounts: [{name: data, mountPath: /data}]
            status:
              phase: Running
              conditions: [{type: Ready, status: "True"}, {type: PodResizePending, status: "True", reason: %s}]
              podIPs: [{ip: 10.0.0.1}]
              resourceClaimStatuses: [{name: gpu, resourceClaimName: mine}]
              containerStatuses:
              - {name: main, image: i, resources: {requests: {cpu: "%s", memory: 4Gi}}, allocatedResources: {cpu: "%s", memory: 4Gi}}
            """;

    private final SlimPods slim = new SlimPods();

    private static Pod pod(String node, String cpu) {
        return YAML.unmarshal(POD.formatted(node, "Deferred", cpu, cpu), Pod.class);
    }

    private Pod slimmed(Pod pod) {
        slim.accept(pod);
        return pod;
    }

    @Test
    void aPodThatHasItsNodeNeedsTheSameAsBefore() {
        assertThat(PodNeeds.of(slimmed(pod("n1", "2")))).isEqualTo(PodNeeds.of(pod("n1", "2")));
    }

    @Test
    void aPodThatIsBeingResizedStillTakesTheLargerOfOldAndNew() {
        var needs = PodNeeds.of(slimmed(pod("n1", "3")));

        assertThat(needs).isEqualTo(PodNeeds.of(pod("n1", "3")));
        assertThat(needs.requests().of("cpu")).isEqualTo(3_110);
    }

    @Test
    void aResizeThatCannotBeDoneStillCountsAsItIs() {
        var text = POD.formatted("n1", "Infeasible", "1", "1");

        assertThat(PodNeeds.of(slimmed(YAML.unmarshal(text, Pod.class))))
                .isEqualTo(PodNeeds.of(YAML.unmarshal(text, Pod.class)));
    }

    @Test
    void whoAndWhoseItIsAndWhatItHoldsStays() {
        var pod = slimmed(pod("n1", "2"));

        assertThat(pod.getMetadata().getAnnotations()).containsOnlyKeys("berth.dev/pinned-gpus");
        assertThat(pod.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("StatefulSet"));
        assertThat(pod.getSpec().getSchedulerName()).isEqualTo("pinner");
        assertThat(pod.getSpec().getPriority()).isEqualTo(7);
        assertThat(pod.getSpec().getResourceClaims()).hasSize(1);
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getLimits())
                .containsKey("nvidia.com/gpu");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
        assertThat(pod.getStatus().getResourceClaimStatuses()).hasSize(1);
    }

    @Test
    void whatItRunsIsForgotten() {
        var pod = slimmed(pod("n1", "2"));
        var container = pod.getSpec().getContainers().getFirst();

        assertThat(container.getImage()).isNull();
        assertThat(container.getEnv()).isEmpty();
        assertThat(container.getCommand()).isEmpty();
        assertThat(container.getVolumeMounts()).isEmpty();
        assertThat(pod.getSpec().getVolumes()).isEmpty();
        assertThat(pod.getStatus().getContainerStatuses()).isEmpty();
        assertThat(pod.getStatus().getPodIPs()).isEmpty();
    }

    @Test
    void aPodThatWaitsStaysWhole() {
        assertThat(slimmed(pod("\"\"", "2"))).isEqualTo(pod("\"\"", "2"));
    }

    @Test
    void whatPodsHaveInCommonIsKeptOnce() {
        var one = slimmed(pod("n1", "2"));
        var other = slimmed(pod("n1", "2"));

        assertThat(one.getMetadata().getLabels()).isSameAs(other.getMetadata().getLabels());
        assertThat(one.getSpec().getContainers()).isSameAs(other.getSpec().getContainers());
        assertThat(one.getStatus()).isSameAs(other.getStatus());
    }
}
