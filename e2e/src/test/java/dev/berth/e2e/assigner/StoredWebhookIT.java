package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.e2e.story.WebhookServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API server asks the assigner by itself, because a stored MutatingWebhookConfiguration tells it to. */
@OnBothServers
class StoredWebhookIT {
    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String REVIEWS = "berth_admission_reviews_total";

    @TempDir
    private Path certificates = Path.of(".");

    @Story
    @Timeout(240)
    void aDryRunReservesNothing(Dialogue server) throws Exception {
        try (var gpus = new GpuCluster(server.cluster());
                var assigner = secure(gpus, server.cluster())) {
            gpus.addNodes(1, 1);
            register(server, gpus, assigner);

            var tried = gpus.client.resource(pod(gpus, "tried")).dryRun(true).create();

            assertThat(tried.getMetadata().getAnnotations()).isNullOrEmpty();
            assertThat(tried.getSpec().getNodeName()).isNull();
            assertThat(gpus.leases()).isEmpty();
            assertThat(gpus.held()).isZero();
            var made = gpus.client.resource(pod(gpus, "made")).create();
            assertThat(made.getMetadata().getAnnotations()).containsKey("fudo.org/gpu.uuid");
            assertThat(gpus.leases()).hasSize(1);
        }
    }

    @Story
    @Timeout(240)
    void aPodThatAnotherWebhookChangedIsAskedAboutAgainAndKeepsItsGpu(Dialogue server) throws Exception {
        try (var gpus = new GpuCluster(server.cluster());
                var assigner = secure(gpus, server.cluster());
                var other = WebhookServer.start()) {
            gpus.addNodes(2, 2);
            register(server, gpus, assigner);
            other.on(
                    "/change",
                    response -> response.put("patchType", "JSONPatch")
                            .put(
                                    "patch",
                                    GpuCluster.encoded(
                                            "[{\"op\":\"add\",\"path\":\"/metadata/labels/changed\",\"value\":\"yes\"}]")));
            // Configurations are asked in the order of their names.
            store(server, gpus, "z-" + gpus.work(), """
                    name: other.example.org
                    sideEffects: None
                    clientConfig: {url: "https://127.0.0.1:%d/change", caBundle: %s}
                    """.formatted(other.port(), other.caBundle()));
            GpuCluster.await(
                    "the other webhook is asked",
                    () -> "yes"
                            .equals(gpus.client
                                    .resource(pod(gpus, "probe"))
                                    .dryRun(true)
                                    .create()
                                    .getMetadata()
                                    .getLabels()
                                    .get("changed")));
            double before = assigner.metric(REVIEWS);

            var pod = gpus.client.resource(pod(gpus, "twice")).create();

            assertThat(assigner.metric(REVIEWS) - before).as("asked about it").isEqualTo(2);
            assertThat(pod.getMetadata().getLabels()).containsEntry("changed", "yes");
            var uuid = pod.getMetadata().getAnnotations().get("fudo.org/gpu.uuid");
            assertThat(gpus.leases())
                    .singleElement()
                    .satisfies(lease ->
                            assertThat(lease.getMetadata().getLabels()).containsEntry("fudo.org/gpu.uuid", uuid));
            GpuCluster.await(
                    "the GPU is the pod's",
                    () -> gpus.leases().stream()
                            .allMatch(lease -> pod.getMetadata()
                                    .getUid()
                                    .equals(lease.getSpec().getHolderIdentity())));
        }
    }

    private Replica secure(GpuCluster gpus, Cluster server) {
        var made = BerthProcess.run("certs", "--service=assigner", "--host=127.0.0.1", "--out=" + certificates);
        assertThat(made.exit()).as(made.err()).isZero();
        return Replica.secure(server.kubeconfig(), gpus.claims(), certificates);
    }

    /** Stores the assigner's configuration, and waits until the server follows it. */
    private void register(Dialogue server, GpuCluster gpus, Replica assigner) throws IOException {
        var authority = Base64.getEncoder().encodeToString(Files.readAllBytes(certificates.resolve("ca.crt")));
        store(server, gpus, "a-" + gpus.work(), """
                name: assigner.berth.dev
                sideEffects: NoneOnDryRun
                reinvocationPolicy: IfNeeded
                timeoutSeconds: 10
                clientConfig: {url: "https://127.0.0.1:%d/mutate", caBundle: %s}
                """.formatted(assigner.port(), authority));
        GpuCluster.await("the server asks the assigner", () -> {
            gpus.client.resource(pod(gpus, "probe")).dryRun(true).create();
            return assigner.metric(REVIEWS) > 0;
        });
    }

    private static void store(Dialogue server, GpuCluster gpus, String name, String webhook) {
        server.cleanUp(CONFIGURATIONS + "/" + name);
        var common = """
                admissionReviewVersions: [v1]
                namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
                """.formatted(gpus.work());
        var stored = server.quietly(
                "POST",
                CONFIGURATIONS,
                "metadata: {name: %s}\nwebhooks:\n- %s"
                        .formatted(name, (webhook + common).indent(2).stripLeading()));
        assertThat(stored.code()).as(stored.text()).isEqualTo(201);
    }

    private static Pod pod(GpuCluster gpus, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(gpus.work())
                .withName(name)
                .withLabels(Map.of(gpus.label(), "true"))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build();
    }
}
