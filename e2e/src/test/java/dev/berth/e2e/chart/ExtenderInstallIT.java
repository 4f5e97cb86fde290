package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.ledger.NodeLedger;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;

/** The extender's chart in a cluster: its own kube-scheduler asks its Service, and pods get slices of GPUs. */
@OnBothServers(controllers = true)
class ExtenderInstallIT {
    private static final String RELEASE = "slices";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Story
    @Timeout(300)
    void aReleasePlacesFractionalPodsAndLeavesNothingBehind(Dialogue server, Cluster cluster) throws Exception {
        var namespace = server.namespace();
        var node = namespace + "-n1";
        var helm = ProgramsOrSkip.helm(cluster);
        int port = Ports.free();
        server.cleanUp("/api/v1/nodes/" + node);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + node);
        try (var client = cluster.client(namespace);
                var kubelet = Kubelet.start(cluster, namespace)) {
            try {
                // No kubelet here runs kube-scheduler: below it runs as a process, with the configuration of the chart.
                helm.run(
                        "install",
                        RELEASE,
                        Helm.chart("gpu-admission").toString(),
                        "--namespace=" + namespace,
                        "--wait",
                        "--timeout=120s",
                        "--set=scheduler.replicas=0,service.port=" + port);
                assertThat(helm.run("test", RELEASE, "--namespace=" + namespace, "--timeout=60s"))
                        .contains("Phase:          Succeeded");
                addNode(client, node);
                try (var _ = new ChartScheduler(client, cluster, namespace, "gpu-scheduler")
                        .start(kubelet.readyAddresses("gpu-admission").getFirst(), port)) {
                    assertThat(placed(client, pod("half", 50, 8)))
                            .containsEntry("tencent.com/predicate-gpu-idx-0", "0");
                    assertThat(placed(client, pod("other-half", 50, 8)))
                            .containsEntry("tencent.com/predicate-gpu-idx-0", "0");
                    assertThat(placed(client, pod("whole", 100, 0)))
                            .containsEntry("tencent.com/predicate-gpu-idx-0", "1");
                    assertThat(client.resources(NodeLedger.class).withName(node).get())
                            .isNotNull();
                }
                assertThat(kubelet.restarts()).isZero();
                mayAllThatKubeSchedulerMay(client);
                helm.run("uninstall", RELEASE, "--namespace=" + namespace, "--wait", "--timeout=60s");
                client.pods().withLabel("slice").withGracePeriod(0).delete();
                Await.until(
                        PATIENCE,
                        () -> left(client, namespace).isEmpty(),
                        () -> "still there: " + left(client, namespace));
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "\n" + kubelet.lastWords(), e);
            } finally {
                helm.attempt("uninstall", RELEASE, "--namespace=" + namespace);
                client.pods().withLabel("slice").withGracePeriod(0).delete();
            }
        }
    }

    private static Map<String, String> placed(KubernetesClient client, Pod pod) {
        var name = pod.getMetadata().getName();
        client.resource(pod).create();
        Await.until(
                PATIENCE,
                () -> client.pods().withName(name).get().getSpec().getNodeName() != null,
                () -> name + " is not placed: "
                        + client.pods().withName(name).get().getStatus());
        return client.pods().withName(name).get().getMetadata().getAnnotations();
    }

    private static Pod pod(String name, int cores, int memory) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("slice", "yes")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("gpu-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("example")
                .withNewResources()
                .addToLimits("tencent.com/vcuda-core", new Quantity(String.valueOf(cores)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        if (memory > 0) {
            pod.getSpec()
                    .getContainers()
                    .getFirst()
                    .getResources()
                    .getLimits()
                    .put("tencent.com/vcuda-memory", new Quantity(String.valueOf(memory)));
        }
        return pod;
    }

    private static void addNode(KubernetesClient client, String name) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        var room = Map.of(
                "cpu", new Quantity("64"),
                "memory", new Quantity("256Gi"),
                "pods", new Quantity("110"),
                "tencent.com/vcuda-core", new Quantity("200"),
                "tencent.com/vcuda-memory", new Quantity("64"));
        client.nodes()
                .withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .withAllocatable(room)
                        .withCapacity(room)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        client.nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"taints\": null}}");
    }

    /** Ruling of the contract; the embedded server has no such role to compare with. */
    private static void mayAllThatKubeSchedulerMay(KubernetesClient client) {
        var roles = client.rbac().clusterRoles();
        var ours = roles.withName("gpu-scheduler-clusterrole").get().getRules();
        for (var name : List.of("system:kube-scheduler", "system:volume-scheduler")) {
            var theirs = roles.withName(name).get();
            if (theirs == null) continue;
            assertThat(theirs.getRules())
                    .allSatisfy(rule -> assertThat(single(rule))
                            .allSatisfy(one -> assertThat(ours).anyMatch(each -> covers(each, one))));
        }
    }

    private static Stream<List<String>> rights(PolicyRule rule) {
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(resource -> rule.getVerbs().stream().map(verb -> List.of(group, resource, verb))));
    }

    private static List<List<String>> single(PolicyRule rule) {
        return rights(rule).toList();
    }

    private static boolean covers(PolicyRule rule, List<String> right) {
        return rights(rule).anyMatch(right::equals);
    }

    private static List<String> left(KubernetesClient client, String namespace) {
        var ours = Map.of("app.kubernetes.io/instance", RELEASE);
        return Stream.<List<? extends HasMetadata>>of(
                        client.rbac().clusterRoles().withLabels(ours).list().getItems(),
                        client.rbac()
                                .clusterRoleBindings()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.rbac()
                                .roleBindings()
                                .inNamespace("kube-system")
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.apps()
                                .deployments()
                                .inNamespace(namespace)
                                .list()
                                .getItems(),
                        client.pods().inNamespace(namespace).list().getItems(),
                        client.services().inNamespace(namespace).list().getItems(),
                        client.configMaps()
                                .inNamespace(namespace)
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.serviceAccounts()
                                .inNamespace(namespace)
                                .withLabels(ours)
                                .list()
                                .getItems())
                .flatMap(List::stream)
                .map(each -> each.getKind() + "/"
                        + Objects.requireNonNull(each.getMetadata()).getName())
                .toList();
    }
}
