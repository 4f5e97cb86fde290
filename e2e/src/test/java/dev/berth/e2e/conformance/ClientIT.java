package dev.berth.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** The fabric8 client, which Berth itself uses, works with both servers. */
@OnBothServers
class ClientIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static ConfigMap map(String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withData(data)
                .build();
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("example.org/i:1")
                .endContainer()
                .endSpec()
                .build();
    }

    private static Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withSpec(pod(name).getSpec())
                .endTemplate()
                .endSpec()
                .build();
    }

    private static KubernetesClient client(Dialogue server) {
        return server.cluster().client(server.namespace());
    }

    private static void await(String what, BooleanSupplier condition) {
        Await.until(PATIENCE, condition, () -> what);
    }

    @Story
    void anObjectGoesThroughItsLife(Dialogue server) {
        try (var client = client(server)) {
            var made = client.configMaps().resource(map("a", Map.of("k", "v"))).create();
            assertThat(made.getMetadata().getUid()).isNotBlank();
            var changed = client.configMaps()
                    .withName("a")
                    .edit(old -> new ConfigMapBuilder(old).addToData("l", "w").build());
            assertThat(changed.getData()).containsEntry("l", "w").containsEntry("k", "v");
            assertThat(client.configMaps().withName("a").delete()).hasSize(1);
            assertThat(client.configMaps().withName("a").get()).isNull();
        }
    }

    @Story
    void anInformerFollowsTheServer(Dialogue server) {
        try (var client = client(server)) {
            Queue<String> seen = new ConcurrentLinkedQueue<>();
            client.configMaps().resource(map("a", Map.of())).create();
            try (var informer = client.configMaps().inform(new Recorder(seen))) {
                await("synced", informer::hasSynced);
                client.configMaps().resource(map("b", Map.of())).create();
                client.configMaps()
                        .withName("b")
                        .edit(old ->
                                new ConfigMapBuilder(old).addToData("k", "v").build());
                client.configMaps().withName("a").delete();
                await("four events, not " + seen, () -> seen.size() == 4);
                assertThat(seen).containsExactly("added a", "added b", "updated b", "deleted a");
                assertThat(informer.getStore().list())
                        .extracting(each -> each.getMetadata().getName())
                        .containsExactly("b");
            }
        }
    }

    private record Recorder(Queue<String> seen) implements ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap added) {
            seen.add("added " + added.getMetadata().getName());
        }

        @Override
        public void onUpdate(ConfigMap old, ConfigMap updated) {
            seen.add("updated " + updated.getMetadata().getName());
        }

        @Override
        public void onDelete(ConfigMap deleted, boolean unknown) {
            seen.add("deleted " + deleted.getMetadata().getName());
        }
    }

    @Story
    void aWatchBringsEvents(Dialogue server) {
        try (var client = client(server)) {
            Queue<String> seen = new ConcurrentLinkedQueue<>();
            try (var _ = client.configMaps().watch(new Watcher<>() {
                @Override
                public void eventReceived(Action action, ConfigMap resource) {
                    seen.add(action + " " + resource.getMetadata().getName());
                }

                @Override
                public void onClose(WatcherException cause) {
                    seen.add("closed");
                }
            })) {
                client.configMaps().resource(map("a", Map.of())).create();
                // Without a WebSocket the client opens its watch a moment after it says so.
                await("the first event", () -> !seen.isEmpty());
                client.configMaps().withName("a").delete();
                await("two events, not " + seen, () -> seen.size() >= 2);
                assertThat(seen).containsExactly("ADDED a", "DELETED a");
            }
        }
    }

    @Story
    void oneOfTwoCandidatesLeads(Dialogue server) {
        try (var client = client(server)) {
            Queue<String> led = new ConcurrentLinkedQueue<>();
            var first = elect(client, server.namespace(), "first", led);
            await("a leader", () -> led.contains("first leads"));
            var second = elect(client, server.namespace(), "second", led);
            assertThat(client.leases().withName("crown").get().getSpec().getHolderIdentity())
                    .isEqualTo("first");
            first.cancel(true);
            await("a new leader, not " + led, () -> led.contains("second leads"));
            second.cancel(true);
        }
    }

    private static CompletableFuture<?> elect(
            KubernetesClient client, String namespace, String name, Queue<String> led) {
        var config = new LeaderElectionConfigBuilder()
                .withName(name)
                .withLeaseDuration(Duration.ofSeconds(3))
                .withRenewDeadline(Duration.ofSeconds(2))
                .withRetryPeriod(Duration.ofMillis(200))
                .withReleaseOnCancel(true)
                .withLock(new LeaseLock(namespace, "crown", name))
                .withLeaderCallbacks(
                        new LeaderCallbacks(() -> led.add(name + " leads"), () -> led.add(name + " stops"), _ -> {}))
                .build();
        return client.leaderElector().withConfig(config).build().start();
    }

    @Story
    void allPatchesWork(Dialogue server) {
        try (var client = client(server)) {
            var maps = client.configMaps();
            maps.resource(map("a", Map.of("k", "v"))).create();
            assertThat(maps.withName("a")
                            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"merge\":\"1\"}}")
                            .getData())
                    .containsEntry("merge", "1");
            assertThat(maps.withName("a")
                            .patch(
                                    PatchContext.of(PatchType.JSON),
                                    "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"2\"}]")
                            .getData())
                    .containsEntry("json", "2");
            assertThat(maps.withName("a")
                            .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"k\":null}}")
                            .getData())
                    .doesNotContainKey("k");
        }
    }

    @Story
    void serverSideApplyOwnsFields(Dialogue server) {
        try (var client = client(server)) {
            var applied = client.configMaps()
                    .resource(map("a", Map.of("k", "v")))
                    .fieldManager("one")
                    .serverSideApply();
            assertThat(applied.getMetadata().getManagedFields())
                    .extracting(each -> each.getManager())
                    .containsExactly("one");
            assertThatThrownBy(() -> client.configMaps()
                            .resource(map("a", Map.of("k", "other")))
                            .fieldManager("two")
                            .serverSideApply())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("conflict with \"one\": .data.k");
            var forced = client.configMaps()
                    .resource(map("a", Map.of("k", "other")))
                    .fieldManager("two")
                    .forceConflicts()
                    .serverSideApply();
            assertThat(forced.getData()).containsEntry("k", "other");
        }
    }

    @Story
    void anOldVersionLoses(Dialogue server) {
        try (var client = client(server)) {
            var made = client.configMaps().resource(map("a", Map.of("k", "v"))).create();
            client.configMaps()
                    .withName("a")
                    .edit(old -> new ConfigMapBuilder(old).addToData("k", "w").build());
            assertThatThrownBy(() -> client.configMaps().resource(made).update())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(409));
        }
    }

    @Story
    void aPodIsBoundAndItsStatusWritten(Dialogue server) {
        try (var client = client(server)) {
            var made = client.pods().resource(pod("p")).create();
            client.bindings()
                    .resource(new io.fabric8.kubernetes.api.model.BindingBuilder()
                            .withNewMetadata()
                            .withName("p")
                            .endMetadata()
                            .withNewTarget()
                            .withKind("Node")
                            .withName("n1")
                            .endTarget()
                            .build())
                    .create();
            assertThat(client.pods().withName("p").get().getSpec().getNodeName())
                    .isEqualTo("n1");
            client.pods()
                    .withName("p")
                    .editStatus(old -> new PodBuilder(old)
                            .editStatus()
                            .withPhase("Running")
                            .endStatus()
                            .build());
            assertThat(client.pods().withField("status.phase", "Running").list().getItems())
                    .extracting(each -> each.getMetadata().getUid())
                    .containsExactly(made.getMetadata().getUid());
        }
    }

    @Story
    void listsAreSelectedAndPaged(Dialogue server) {
        try (var client = client(server)) {
            for (int i = 0; i < 7; i++) {
                client.configMaps()
                        .resource(new ConfigMapBuilder()
                                .withMetadata(new ObjectMetaBuilder()
                                        .withName("m" + i)
                                        .addToLabels("odd", Boolean.toString(i % 2 == 1))
                                        .build())
                                .build())
                        .create();
            }
            assertThat(client.configMaps().withLabel("odd", "true").list().getItems())
                    .hasSize(3);
            assertThat(client.configMaps()
                            .withLabelIn("odd", "true", "false")
                            .list()
                            .getItems())
                    .hasSize(7);
            var page = client.configMaps()
                    .list(new io.fabric8.kubernetes.api.model.ListOptionsBuilder()
                            .withLimit(5L)
                            .build());
            assertThat(page.getItems()).hasSize(5);
            assertThat(page.getMetadata().getRemainingItemCount()).isEqualTo(2);
        }
    }

    @Story
    void aWorkloadIsScaledAndDeleted(Dialogue server) {
        try (var client = client(server)) {
            client.apps().deployments().resource(deployment("web")).create();
            client.apps().deployments().withName("web").scale(3);
            assertThat(client.apps()
                            .deployments()
                            .withName("web")
                            .get()
                            .getSpec()
                            .getReplicas())
                    .isEqualTo(3);
            client.apps()
                    .deployments()
                    .withName("web")
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete();
            assertThat(client.apps().deployments().withName("web").get()).isNull();
        }
    }

    @Story
    void aLeaseIsTakenOnce(Dialogue server) {
        try (var client = client(server)) {
            var lease = new LeaseBuilder()
                    .withNewMetadata()
                    .withName("gpu-1")
                    .endMetadata()
                    .withNewSpec()
                    .withHolderIdentity("one")
                    .endSpec()
                    .build();
            client.leases().resource(lease).create();
            assertThatThrownBy(() -> client.leases().resource(lease).create())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(409));
        }
    }

    @Story
    void aKindWithoutAModelIsUsed(Dialogue server) {
        var context = new ResourceDefinitionContext.Builder()
                .withGroup("coordination.k8s.io")
                .withVersion("v1")
                .withKind("Lease")
                .withPlural("leases")
                .withNamespaced(true)
                .build();
        try (var client = client(server)) {
            var generic = new GenericKubernetesResource();
            generic.setApiVersion("coordination.k8s.io/v1");
            generic.setKind("Lease");
            generic.setMetadata(new ObjectMetaBuilder().withName("generic").build());
            generic.setAdditionalProperty("spec", Map.of("holderIdentity", "me"));
            client.genericKubernetesResources(context).resource(generic).create();
            assertThat(client.genericKubernetesResources(context).list().getItems())
                    .extracting(each -> each.<String>get("spec", "holderIdentity"))
                    .isEqualTo(List.of("me"));
        }
    }

    @Story
    void theServerIsKnown(Cluster cluster) {
        try (var client = cluster.client("default")) {
            assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("36");
            assertThat(client.supports(Deployment.class)).isTrue();
            assertThat(client.getApiGroup("apps").getPreferredVersion().getVersion())
                    .isEqualTo("v1");
        }
    }
}
