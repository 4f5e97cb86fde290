package dev.berth.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The claims scheduler places pods with and without claims, says why not, and gives back what ended pods held. */
@OnBothServers
class ClaimsSchedulerIT {
    private static final Path EXAMPLES = E2eFolder.path().toAbsolutePath().resolveSibling("examples/claims");

    @Story
    void theWalkThroughOfTheDocument(Dialogue server) {
        var stage = ClaimsStage.on(server);
        for (var node : new String[] {"node-00", "node-01", "node-02"}) {
            server.cleanUp("/api/v1/nodes/" + node);
            server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + node);
        }
        for (var file : new String[] {"nodes", "drivers", "classes", "pools-foozers", "pod-annotated"}) {
            server.kubectl().run("apply -f " + EXAMPLES.resolve(file + ".yaml"));
        }
        for (var node : new String[] {"node-00", "node-01", "node-02"}) {
            stage.untaint(node);
        }
        server.kubectl().runShowing("get devicedrivers", "", "^\\S+");

        var said = BerthProcess.run(
                "schedule",
                "--kubeconfig=" + server.cluster().kubeconfig(),
                "--namespace=" + server.namespace(),
                "annotated",
                "--output=table");

        server.note("exit", said.exit());
        server.note("said", said.out());
        assertThat(said.exit()).as(said.err()).isZero();
        assertThat(stage.awaitNode("annotated")).isEqualTo("node-00");
        assertThat(stage.devicesOf("annotated-gpu")).containsExactly("node-00-foozer/dev-00");
        server.kubectl()
                .run("delete -f " + EXAMPLES.resolve("drivers.yaml") + " -f " + EXAMPLES.resolve("classes.yaml")
                        + " -f " + EXAMPLES.resolve("pools-foozers.yaml"));
    }

    @Story
    void whatCannotBePlacedOnceIsExitOneAndSaysWhy(Dialogue server) {
        var stage = ClaimsStage.on(server);
        stage.node("once-node");
        stage.devices("once", "once-node", 1);
        stage.pod("first", "nobody", "once", "10m");
        stage.pod("second", "nobody", "once", "10m");

        var said = BerthProcess.run(
                "schedule",
                "--kubeconfig=" + server.cluster().kubeconfig(),
                "--namespace=" + server.namespace(),
                "--all");

        assertThat(said.exit()).as(said.err()).isEqualTo(1);
        assertThat(said.err()).contains("/first: placed on once-node with first-gpu: once/dev-00");
        assertThat(said.err())
                .contains("/second: not placed: 0/1 nodes are available: 1 node(s) where gpu wants 1 device")
                .contains("held by %s/first".formatted(server.namespace()));
        var unknown = BerthProcess.run(
                "schedule",
                "--kubeconfig=" + server.cluster().kubeconfig(),
                "--namespace=" + server.namespace(),
                "third");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no pod %s/third".formatted(server.namespace()));
    }

    @Story
    void theRunningSchedulerPlacesReleasesAndPlacesAgain(Dialogue server) throws IOException {
        var stage = ClaimsStage.on(server);
        var kubeconfig = asServiceAccount(server);
        stage.node("small-node");
        stage.devices("few", "small-node", 1);
        try (var _ = stage.scheduler("berth-e2e", kubeconfig, "berth")) {
            stage.pod("plain", "berth-e2e", "", "1");
            assertThat(stage.awaitNode("plain")).isEqualTo("small-node");
            stage.pod("too-large", "berth-e2e", "", "4");
            assertThat(stage.awaitRefusal("too-large"))
                    .isEqualTo(
                            "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu (small-node: wants 4, 3 of 4 free).");
            stage.pod("first", "berth-e2e", "few", "10m");
            assertThat(stage.awaitNode("first")).isEqualTo("small-node");
            assertThat(stage.devicesOf("first-gpu")).containsExactly("few/dev-00");
            stage.pod("second", "berth-e2e", "few", "10m");
            assertThat(stage.awaitRefusal("second")).contains("held by %s/first".formatted(server.namespace()));

            stage.delete("first");

            assertThat(stage.awaitNode("second")).isEqualTo("small-node");
            assertThat(stage.devicesOf("second-gpu")).containsExactly("few/dev-00");
            var events = server.await(
                    "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                    list -> list.path("items")
                            .valueStream()
                            .anyMatch(event ->
                                    event.at("/regarding/name").asText().equals("second")
                                            && event.path("reason").asText().equals("Scheduled")));
            assertThat(events.path("items")
                            .valueStream()
                            .filter(event ->
                                    event.at("/regarding/name").asText().equals("second"))
                            .map(event -> event.path("reason").asText()))
                    .containsOnlyOnce("FailedScheduling")
                    .containsOnlyOnce("Scheduled");
        }
    }

    @Story
    void anotherReplicaTakesOverFromOneThatStops(Dialogue server) {
        var stage = ClaimsStage.on(server);
        stage.node("handover-node");
        stage.devices("handover", "handover-node", 2);
        var kubeconfig = server.cluster().kubeconfig();
        var first = stage.scheduler("handover", kubeconfig, "kube-system");
        stage.pod("before", "handover", "handover", "10m");
        stage.awaitNode("before");
        first.close();
        try (var _ = stage.scheduler("handover", kubeconfig, "kube-system")) {
            stage.pod("after", "handover", "handover", "10m");
            stage.awaitNode("after");
            assertThat(stage.devicesOf("after-gpu")).containsExactly("handover/dev-01");
        }
    }

    /** A kubeconfig with the rights of the example's service account, and no others where the server asks. */
    private static Path asServiceAccount(Dialogue server) throws IOException {
        server.kubectl().run("apply -f " + EXAMPLES.resolve("scheduler-rbac.yaml"));
        var config = Files.readString(server.cluster().kubeconfig());
        var user = server.cluster().token().isEmpty()
                ? config
                : config.replace(
                        "user: {token: ", "user: {as: \"system:serviceaccount:berth:claims-scheduler\", token: ");
        var folder = Files.createDirectories(E2eFolder.target("claims"));
        return Files.writeString(folder.resolve("kubeconfig-" + server.cluster().name()), user);
    }
}
