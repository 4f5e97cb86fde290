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
