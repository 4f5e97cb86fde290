package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pinner's charts in a cluster, in the document's order of commands. */
@OnBothServers(controllers = true)
class PinnerInstallIT {
    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(420)
    void theSchedulerFirstThenTheWebhookThenNothing(Dialogue server, Cluster cluster) throws IOException {
        try (var release = PinnerRelease.install(cluster, server.namespace())) {
            for (int i = 1; i <= 4; i++) {
                release.addNode("installed-worker" + i, "installed" + i);
            }
            release.installCheck("installed");
            release.awaitSaid(0, "Node: installed-worker1, CUDA_VISIBLE_DEVICES: not-set");
            release.awaitSaid(4, "Node: installed-worker4, CUDA_VISIBLE_DEVICES: not-set");
            assertThat(release.test()).contains("Succeeded");

            switchTheWebhookOn(server, release);
            release.deleteCheckPods();
            release.awaitSaid(0, "Node: installed-worker1, CUDA_VISIBLE_DEVICES: 0,1");
            release.awaitSaid(1, "Node: installed-worker2, CUDA_VISIBLE_DEVICES: 2");
            release.awaitSaid(2, "Node: installed-worker3, CUDA_VISIBLE_DEVICES: 0,1,2");
            release.awaitSaid(3, "Node: installed-worker4, CUDA_VISIBLE_DEVICES: 3");
            release.awaitSaid(4, "Node: installed-worker4, CUDA_VISIBLE_DEVICES: 3");
            assertThat(release.kubelet().restarts()).isZero();
            if (cluster.token().isPresent()) itsRightsEndWhereItsWorkEnds(release);

            release.uninstall();
            release.await(() -> left(release).isEmpty(), "still there: " + left(release));
            assertThat(release.client()
                            .secrets()
                            .inNamespace(release.namespace())
                            .withName("gpu-scheduler-webhook-tls")
                            .delete())
                    .as("what the user applied stays until he removes it")
                    .isNotEmpty();
        }
    }

    /** The certificates are made and applied before the chart knows of them, as the document has it. */
    private void switchTheWebhookOn(Dialogue server, PinnerRelease release) throws IOException {
        var certs = directory.resolve("certs-" + server.cluster().name());
        server.hide(certs.toString(), "CERTS");
        var made = BerthProcess.run(
                "certs",
                "--service=gpu-scheduler-webhook",
                "--namespace=" + release.namespace(),
                "--secret=gpu-scheduler-webhook-tls",
                "--out=" + certs);
        assertThat(made.exit()).as(made.err()).isZero();
        server.kubectl()
                .runShowing("apply --server-side -f " + certs.resolve("webhook-tls-secret.yaml"), "", "secret/");
        var bundle = Base64.getEncoder().encodeToString(Files.readAllBytes(certs.resolve("ca.crt")));
        release.upgrade("webhook.enabled=true");
        assertThat(bundleOf(server))
                .as("the chart finds the authority in the Secret")
                .isEqualTo(bundle);
        release.upgrade("webhook.enabled=true", "webhook.caBundle=" + bundle);
        assertThat(bundleOf(server)).isEqualTo(bundle);
        // The API server hears of a new configuration a moment later.
        release.await(() -> mutated(server, release), "pods are not mutated");
    }

    private static String bundleOf(Dialogue server) {
        return server.quietly(
                        "GET",
                        "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/gpu-scheduler-webhook",
                        "")
                .body()
                .at("/webhooks/0/clientConfig/caBundle")
                .asText();
    }

    private static boolean mutated(Dialogue server, PinnerRelease release) {
        var tried = server.quietly("POST", "/api/v1/namespaces/" + release.workNamespace() + "/pods?dryRun=All", """
                metadata: {name: tried-0, annotations: {gpu-scheduling-map: "0=nowhere:7"}}
                spec: {schedulerName: gpu-scheduler, containers: [{name: main, image: none}]}
                """);
        return tried.body().at("/spec/containers/0/env/0/value").asText().equals("7");
    }

    private static void itsRightsEndWhereItsWorkEnds(PinnerRelease release) {
        assertThat(may(release, "create", "", "pods", "binding")).isTrue();
        assertThat(may(release, "list", "", "nodes", "")).isTrue();

        assertThat(may(release, "get", "", "secrets", "")).isFalse();
        assertThat(may(release, "list", "", "secrets", "")).isFalse();
        assertThat(may(release, "delete", "", "pods", "")).isFalse();
        assertThat(may(release, "create", "", "pods", "")).isFalse();
        assertThat(may(release, "patch", "", "pods", "")).isFalse();
        assertThat(may(release, "patch", "", "nodes", "")).isFalse();
        assertThat(may(release, "update", "admissionregistration.k8s.io", "mutatingwebhookconfigurations", ""))
                .isFalse();
    }

    private static boolean may(PinnerRelease release, String verb, String group, String resource, String subresource) {
        return release.client()
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser("system:serviceaccount:" + release.namespace() + ":" + PinnerRelease.NAME)
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup(group)
                        .withResource(resource)
                        .withSubresource(subresource)
                        .withNamespace(release.workNamespace())
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private static List<String> left(PinnerRelease release) {
        var client = release.client();
        var ours = Map.of("app.kubernetes.io/instance", PinnerRelease.NAME);
        var own = release.namespace();
        return Stream.<List<? extends HasMetadata>>of(
                        client.rbac().clusterRoles().withLabels(ours).list().getItems(),
                        client.rbac()
                                .clusterRoleBindings()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.admissionRegistration()
                                .v1()
                                .mutatingWebhookConfigurations()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.rbac().roles().inNamespace(own).list().getItems(),
                        client.apps().deployments().inNamespace(own).list().getItems(),
                        client.pods().inNamespace(own).list().getItems(),
                        client.services().inNamespace(own).list().getItems(),
                        client.leases().inNamespace(own).list().getItems(),
                        client.secrets()
                                .inNamespace(own)
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.serviceAccounts()
                                .inNamespace(own)
                                .withLabels(ours)
                                .list()
                                .getItems())
                .flatMap(List::stream)
                .map(each -> each.getKind() + "/" + each.getMetadata().getName())
                .toList();
    }
}
