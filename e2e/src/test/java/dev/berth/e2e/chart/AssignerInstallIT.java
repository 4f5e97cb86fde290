package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;

/** The assigner's chart in a cluster, from the first command to the last. */
@OnBothServers(controllers = true)
class AssignerInstallIT {
    private static final String A100 = "fudo.org/gpu.a100";

    @Story
    @Timeout(300)
    void aReleaseAssignsGpusAndLeavesNothingBehind(Dialogue server, Cluster cluster) {
        try (var release = AssignerRelease.install(cluster, server.namespace())) {
            var node = server.namespace() + "-n1";
            release.addNode(node, Map.of("GPU-1", List.of(A100), "GPU-2", List.of(A100)));

            var pod = release.createGpuPod("p1", A100);
            assertThat(pod.getSpec().getNodeName()).isEqualTo(node);
            assertThat(pod.getMetadata().getAnnotations())
                    .containsEntry("fudo.org/gpu.uuid", "GPU-1")
                    .containsEntry("cdi.k8s.io/gpu-assignment", "nvidia.com/gpu=UUID=GPU-1");
            assertThat(release.client()
                            .leases()
                            .inNamespace(release.claimsNamespace())
                            .withName("gpu-1")
                            .get())
                    .isNotNull();
            server.kubectl().run("create -n {ns}-work -f -", """
                            apiVersion: v1
                            kind: Pod
                            metadata: {name: p2, labels: {fudo.org/gpu.a100: "true"}}
                            spec: {containers: [{name: main, image: example, resources: {limits: {nvidia.com/gpu: 1}}}]}
                            """);
            assertThat(server.kubectl()
                            .run("get -n {ns}-work pod p2 -o jsonpath={.metadata.annotations.fudo\\.org/gpu\\.uuid}"))
                    .isEqualTo("GPU-2");

            assertThat(release.test()).contains("Phase:          Succeeded");

            release.upgrade("logLevel=debug");
            release.remove(pod);
            assertThat(release.createGpuPod("p3", A100).getMetadata().getAnnotations())
                    .containsEntry("fudo.org/gpu.uuid", "GPU-1");
            assertThat(release.kubelet().restarts()).isZero();

            cpuPodsDoNotNoticeThatItIsAway(release);
            release.uninstall();
            nothingIsLeft(release);
        }
    }

    private static void cpuPodsDoNotNoticeThatItIsAway(AssignerRelease release) {
        release.upgrade("replicas=0");
        release.await(
                () -> release.kubelet()
                        .readyAddresses(AssignerRelease.FULL_NAME)
                        .isEmpty(),
                "replicas are still there");

        var created = release.client().resource(release.pod("cpu", "")).create();
        assertThat(created.getMetadata().getAnnotations()).isNullOrEmpty();
        assertThatThrownBy(() ->
                        release.client().resource(release.pod("gpu", A100)).create())
                .hasMessageContaining("assigner.berth.dev");
    }

    private static void nothingIsLeft(AssignerRelease release) {
        release.await(
                () -> release.client()
                                .namespaces()
                                .withName(release.claimsNamespace())
                                .get()
                        == null,
                "the claims namespace is still there");
        release.await(() -> left(release).isEmpty(), "still there: " + left(release));
        assertThat(release.client()
                        .apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName("nodeledgers.berth.dev")
                        .get())
                .as("shared by all doors, so no release takes it away")
                .isNotNull();
    }

    private static List<String> left(AssignerRelease release) {
        KubernetesClient client = release.client();
        var ours = Map.of("app.kubernetes.io/instance", AssignerRelease.NAME);
        var namespace = release.namespace();
        return Stream.<List<? extends HasMetadata>>of(
                        client.rbac().clusterRoles().withLabels(ours).list().getItems().stream()
                                .filter(each -> each.getMetadata().getName().endsWith(namespace))
                                .toList(),
                        client.rbac().clusterRoleBindings().withLabels(ours).list().getItems().stream()
                                .filter(each -> each.getMetadata().getName().endsWith(namespace))
                                .toList(),
                        client
                                .admissionRegistration()
                                .v1()
                                .mutatingWebhookConfigurations()
                                .withLabels(ours)
                                .list()
                                .getItems()
                                .stream()
                                .filter(each -> each.getMetadata().getName().endsWith(namespace))
                                .toList(),
                        client.rbac().roles().inNamespace(namespace).list().getItems(),
                        client.rbac()
                                .roleBindings()
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        client.apps()
                                .deployments()
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        client.apps()
                                .replicaSets()
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        client.pods().inNamespace(namespace).list().getItems(),
                        client.services().inNamespace(namespace).list().getItems(),
                        client.secrets().inNamespace(namespace).list().getItems(),
                        client.leases().inNamespace(namespace).list().getItems(),
                        client.serviceAccounts()
                                .inNamespace(namespace)
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.policy()
                                .v1()
                                .podDisruptionBudget()
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        client.network()
                                .v1()
                                .networkPolicies()
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                .flatMap(List::stream)
                .map(each -> each.getKind() + "/" + each.getMetadata().getName())
                .toList();
    }

    @Story
    @Timeout(300)
    void itsRightsEndWhereItsWorkEnds(Dialogue server, Cluster cluster) {
        if (cluster.token().isEmpty()) return; // the embedded server lets everybody do everything
        try (var release = AssignerRelease.install(cluster, server.namespace(), "replicas=0")) {
            var own = release.namespace();
            assertThat(may(release, "get", "", "secrets", own, AssignerRelease.FULL_NAME + "-tls"))
                    .isTrue();
            assertThat(may(release, "list", "", "pods", "", "")).isTrue();
            assertThat(may(release, "delete", "coordination.k8s.io", "leases", release.claimsNamespace(), "gpu-1"))
                    .isTrue();

            assertThat(may(release, "get", "", "secrets", own, "another")).isFalse();
            assertThat(may(release, "list", "", "secrets", own, "")).isFalse();
            assertThat(may(release, "create", "", "secrets", own, "")).isFalse();
            assertThat(may(release, "delete", "", "pods", release.workNamespace(), "p1"))
                    .isFalse();
            assertThat(may(release, "patch", "", "nodes", "", "n1")).isFalse();
            assertThat(may(release, "delete", "coordination.k8s.io", "leases", "kube-system", "x"))
                    .isFalse();
            assertThat(may(
                            release,
                            "update",
                            "admissionregistration.k8s.io",
                            "mutatingwebhookconfigurations",
                            "",
                            "another"))
                    .isFalse();
        }
    }

    private static boolean may(
            AssignerRelease release, String verb, String group, String resource, String namespace, String name) {
        return release.client()
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser("system:serviceaccount:" + release.namespace() + ":" + AssignerRelease.FULL_NAME)
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(resource)
                        .withNamespace(namespace)
                        .withName(name)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }
}
