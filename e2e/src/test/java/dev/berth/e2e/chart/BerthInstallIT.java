package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.Programs;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** All doors by one chart: the README's tour through each of them, one door less, then nothing. */
@OnBothServers(controllers = true)
class BerthInstallIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SECRETS = "/api/v1/namespaces/{ns}/secrets";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";

    private static final List<String> WORTH_HAVING = List.of(
            "pods",
            "pods/binding",
            "pods/status",
            "pods/exec",
            "pods/eviction",
            "nodes",
            "nodes/proxy",
            "namespaces",
            "services",
            "secrets",
            "configmaps",
            "serviceaccounts",
            "serviceaccounts/token",
            "events.events.k8s.io",
            "leases.coordination.k8s.io",
            "nodeledgers.berth.dev",
            "deviceclaims.devmgmtproto.k8s.io",
            "deviceclaims/status.devmgmtproto.k8s.io",
            "resourceclaims.resource.k8s.io",
            "resourceclaims/status.resource.k8s.io",
            "deployments.apps",
            "clusterroles.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io",
            "mutatingwebhookconfigurations.admissionregistration.k8s.io",
            "customresourcedefinitions.apiextensions.k8s.io");

    @Story
    @Timeout(600)
    void allDoors(Dialogue server, Cluster cluster) throws IOException, Programs.Unavailable {
        var helm = ProgramsOrSkip.helm(cluster);
        var stage = BerthStage.of(server);
        var before = Census.of(server);
        try (var release = BerthRelease.install(helm, cluster, server.namespace());
                var _ = Companions.scheduler(
                        Programs.find(), cluster, E2eFolder.target("all-doors/" + cluster.name()));
                var _ = release.extendersScheduler()) {
            assertThat(release.notes())
                    .contains("assigner: ", "extender: ", "advisor: ", "pinner: ", "claims: ", "console: ");
            release.told(() -> {
                // These three wait until the API server has heard of the webhooks; the tour is applied once, as a
                // reader does.
                stage.assigned("first");
                stage.advised("first");
                stage.pinned("first", 0);
                stage.tour();
                release.consolesShow(stage.nodes());
                assertThat(release.test().split("Phase: +Succeeded", -1)).hasSize(1 + 7);
            });

            // The embedded server knows tokens, not roles.
            if (cluster.token().isPresent()) rightsAreWhatTheWorkNeeds(release);

            release.upgrade("advisor.enabled=false");
            Await.until(
                    PATIENCE,
                    () -> {
                        forgetRemade(cluster, server, "/scheduler-webhook-tls");
                        return advisors(server).isEmpty();
                    },
                    () -> "left behind: " + advisors(server));
            assertThat(release.notes()).contains("pinner: ").doesNotContain("advisor: ");
            release.told(() -> {
                stage.unadvised("second");
                stage.assigned("second");
                stage.sliced("second");
                stage.pinned("second", 1);
                stage.claiming("second");
            });
            assertThat(release.restarts()).isZero();

            stage.removePods();
            release.uninstall();
            stage.removeLedgers();
            Await.until(
                    PATIENCE,
                    () -> {
                        forgetRemade(cluster, server, "");
                        return Census.since(before, server).isEmpty();
                    },
                    () -> "left behind: " + Census.since(before, server));
        }
    }

    /** All of it, and nothing else of what would be worth having: Secrets, other people's pods, more rights. */
    private static void rightsAreWhatTheWorkNeeds(BerthRelease release) {
        assertThat(release.rights("berth-console", WORTH_HAVING))
                .containsExactly(
                        "pods list,watch",
                        "nodes list,watch",
                        "namespaces list,watch",
                        "events.events.k8s.io list",
                        "leases.coordination.k8s.io list,watch",
                        "nodeledgers.berth.dev list,watch",
                        "deviceclaims.devmgmtproto.k8s.io list,watch",
                        "resourceclaims.resource.k8s.io list,watch");
        assertThat(release.rights("berth-claims", WORTH_HAVING))
                .containsExactly(
                        "pods get,list,watch",
                        "pods/binding create",
                        "pods/status patch",
                        "nodes list,watch",
                        "namespaces list,watch",
                        "events.events.k8s.io create,patch",
                        "nodeledgers.berth.dev get,list,watch,create,update",
                        "deviceclaims.devmgmtproto.k8s.io get,list,watch,create,delete",
                        "deviceclaims/status.devmgmtproto.k8s.io update",
                        "resourceclaims.resource.k8s.io get,list,watch,create,update,delete",
                        "resourceclaims/status.resource.k8s.io update");
        // Its account is also that of the kube-scheduler beside it.
        assertThat(release.rights("gpu-admission", WORTH_HAVING))
                .containsExactly(
                        "pods get,list,watch,patch,delete",
                        "pods/binding create",
                        "pods/status update,patch",
                        "nodes get,list,watch",
                        "namespaces get,list,watch",
                        "services get,list,watch",
                        "configmaps get,list,watch",
                        "events.events.k8s.io create,update,patch",
                        "leases.coordination.k8s.io create",
                        "nodeledgers.berth.dev get,list,watch,create,update",
                        "resourceclaims.resource.k8s.io get,list,watch,create,update,patch,delete",
                        "resourceclaims/status.resource.k8s.io get,list,watch,update,patch");
    }

    /**
     * Where everybody may do everything, a door that is being stopped may make its Lease and its certificate's Secret
     * once more. With rights it cannot.
     *
     * @param secret the one that is nobody's any more; empty for all, and the Leases
     */
    private static void forgetRemade(Cluster cluster, Dialogue server, String secret) {
        if (cluster.token().isPresent()) return;
        server.quietly("DELETE", SECRETS + secret, "");
        if (secret.isEmpty()) server.quietly("DELETE", LEASES, "");
    }

    private static List<String> advisors(Dialogue server) {
        return Census.of(server).stream()
                .filter(each -> each.contains("/scheduler-webhook") || each.contains("/scheduler-agent"))
                .toList();
    }
}
