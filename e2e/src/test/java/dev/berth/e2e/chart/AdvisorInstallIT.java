package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Ports;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/** The agent, then the webhook as the document installs it, a Job in a labelled namespace, then nothing. */
@OnBothServers(controllers = true)
class AdvisorInstallIT {
    private static final String WORK = "advised-work";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> RELEASES = List.of("scheduler-agent", "scheduler-webhook");

    @Story
    @Timeout(420)
    void theChartsAsTheDocumentInstallsThem(Dialogue server, Cluster cluster) throws IOException {
        var helm = ProgramsOrSkip.helm(cluster);
        var namespace = server.namespace();
        server.cleanUp("/api/v1/namespaces/" + WORK);
        server.cleanUp("/api/v1/nodes/charted-node");
        server.quietly(
                "POST", "/api/v1/nodes", "metadata: {name: charted-node, labels: {gpu.nvidia.com/class: A100-80GB}}");
        try (var kubelet = Kubelet.start(cluster, namespace)) {
            try {
                install(helm, namespace, kubelet);
                server.quietly(
                        "POST",
                        "/api/v1/namespaces",
                        "metadata: {name: %s, labels: {scheduler.radix.ai/enabled: \"true\"}}".formatted(WORK));

                var pod = awaitAdvice(server, kubelet);

                assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("gpu-medium");
                assertThat(pod.at("/spec/nodeSelector/gpu.nvidia.com~1class").asText())
                        .isEqualTo("A100-80GB");
                for (var release : RELEASES) {
                    assertThat(helm.run("test", release, "--namespace=" + namespace, "--timeout=60s"))
                            .contains("Succeeded");
                }
                assertThat(log(server, kubelet)).contains("Mutated pod " + WORK + "/asking");
                assertThat(kubelet.restarts()).isZero();
                if (cluster.token().isPresent()) rightsEndWhereTheWorkEnds(cluster, namespace);
            } finally {
                for (var release : RELEASES.reversed()) {
                    helm.attempt("uninstall", release, "--namespace=" + namespace, "--wait", "--timeout=60s");
                }
            }
            for (var path : List.of(
                    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/scheduler-webhook",
                    "/apis/scheduling.k8s.io/v1/priorityclasses/gpu-high",
                    "/apis/rbac.authorization.k8s.io/v1/clusterroles/scheduler-webhook",
                    "/apis/rbac.authorization.k8s.io/v1/clusterroles/scheduler-agent")) {
                assertThat(server.quietly("GET", path, "").code()).as(path).isEqualTo(404);
            }
        }
    }

    private static void install(Helm helm, String namespace, Kubelet kubelet) throws IOException {
        // The embedded server has no cluster addresses on loopback: it finds a Service at its target port.
        int agent = Ports.free();
        int webhook = Ports.free();
        run(
                kubelet,
                helm,
                namespace,
                "scheduler-agent",
                List.of("persistence.enabled=false", "ports.http=" + agent, "service.port=" + agent));
        run(
                kubelet,
                helm,
                namespace,
                "scheduler-webhook",
                List.of(
                        "webhook.schedulerUrl=http://scheduler-agent:" + agent,
                        "replicaCount=1",
                        "ports.webhook=" + webhook,
                        "service.port=" + webhook));
    }

    private static void run(Kubelet kubelet, Helm helm, String namespace, String chart, List<String> set) {
        var command = new ArrayList<>(List.of(
                "install", chart, Helm.chart(chart).toString(), "--namespace", namespace, "--wait", "--timeout=120s"));
        set.forEach(each -> command.add("--set=" + each));
        try {
            helm.run(command.toArray(String[]::new));
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + kubelet.lastWords(), e);
        }
    }

    /** The document's pod, asked for until the API server follows the new configuration. */
    private static JsonNode awaitAdvice(Dialogue server, Kubelet kubelet) {
        var pods = "/api/v1/namespaces/%s/pods".formatted(WORK);
        var last = new ArrayList<JsonNode>();
        Await.until(
                PATIENCE,
                () -> {
                    server.quietly("DELETE", pods + "/asking?gracePeriodSeconds=0", "");
                    last.add(server.quietly("POST", pods, """
                            metadata:
                              name: asking
                              annotations: {app.kubernetes.io/job-type: train-bert, gpu.mem.gi: "40", ml.batch_size: "16", scheduler.radix.ai/tenant: team-a}
                            spec:
                              containers: [{name: trainer, image: none, resources: {limits: {nvidia.com/gpu: "1"}}}]
                            """).body());
                    return last.getLast().at("/spec/priorityClassName").asText().startsWith("gpu-");
                },
                () -> "no advice: " + last.getLast() + "\n" + kubelet.lastWords());
        return last.getLast();
    }

    private static String log(Dialogue server, Kubelet kubelet) {
        var pods = server.quietly(
                        "GET",
                        "/api/v1/namespaces/{ns}/pods?labelSelector=app.kubernetes.io%2Fname%3Dscheduler-webhook",
                        "")
                .body();
        return kubelet.log(pods.at("/items/0/metadata/name").asText());
    }

    private static void rightsEndWhereTheWorkEnds(Cluster cluster, String namespace) {
        for (var account : RELEASES) {
            assertThat(may(cluster, namespace, account, "list", "", "pods")).isTrue();
            assertThat(may(cluster, namespace, account, "list", "", "secrets")).isFalse();
            assertThat(may(cluster, namespace, account, "patch", "", "pods")).isFalse();
            assertThat(may(cluster, namespace, account, "create", "", "pods")).isFalse();
            assertThat(may(cluster, namespace, account, "patch", "", "nodes")).isFalse();
        }
        assertThat(may(cluster, namespace, "scheduler-webhook", "create", "events.k8s.io", "events"))
                .isTrue();
        assertThat(may(cluster, namespace, "scheduler-agent", "create", "events.k8s.io", "events"))
                .isFalse();
    }

    private static boolean may(
            Cluster cluster, String namespace, String account, String verb, String group, String resource) {
        try (var client = cluster.client(namespace)) {
            return client.authorization()
                    .v1()
                    .subjectAccessReview()
                    .create(new SubjectAccessReviewBuilder()
                            .withNewSpec()
                            .withUser("system:serviceaccount:" + namespace + ":" + account)
                            .withNewResourceAttributes()
                            .withVerb(verb)
                            .withGroup(group)
                            .withResource(resource)
                            .withNamespace(WORK)
                            .endResourceAttributes()
                            .endSpec()
                            .build())
                    .getStatus()
                    .getAllowed();
        }
    }
}
