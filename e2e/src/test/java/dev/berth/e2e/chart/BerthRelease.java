package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Ports;
import dev.berth.e2e.server.Programs;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The chart of all doors, installed with all of them on; its pods run as processes with the rights of the chart. */
final class BerthRelease implements AutoCloseable {
    private static final String NAME = "berth";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Helm helm;
    private final Cluster cluster;
    private final String namespace;
    private final KubernetesClient client;
    private final Kubelet kubelet;
    private final int extenderPort = Ports.free();
    private final int consolePort = Ports.free();
    private final int pagePort = Ports.free();
    private final List<String> values = new ArrayList<>();

    private BerthRelease(Helm helm, Cluster cluster, String namespace) {
        this.helm = helm;
        this.cluster = cluster;
        this.namespace = namespace;
        client = cluster.client(namespace);
        kubelet = Kubelet.start(cluster, namespace);
        // The embedded server has no cluster addresses on loopback: it finds a Service at its target port. And one
        // replica of each is enough to see that doors stand beside each other: the doors' own stories have more.
        int agent = Ports.free();
        values.addAll(List.of(
                "console.enabled=true,console.auth.existingSecret=" + BerthStage.READERS,
                "assigner.console.enabled=true,assigner.console.auth.existingSecret=" + BerthStage.READERS,
                "console.advisorUrl=http://scheduler-agent:" + agent,
                "assigner.claims.namespace=" + namespace + "-claims",
                "assigner.replicas=1,extender.replicas=1,extender.scheduler.replicas=0,advisor-webhook.replicaCount=1,claims.replicas=1",
                ports("assigner", "ports.webhook", "service.webhookPort", Ports.free()),
                ports("assigner", "ports.ui", "service.uiPort", pagePort),
                "extender.service.port=" + extenderPort,
                ports("advisor-agent", "ports.http", "service.port", agent),
                "advisor-agent.persistence.enabled=false,advisor-webhook.webhook.schedulerUrl=http://scheduler-agent:"
                        + agent,
                ports("advisor-webhook", "ports.webhook", "service.port", Ports.free()),
                ports("pinner", "ports.health", "service.port", Ports.free()),
                ports("pinner", "ports.webhook", "webhook.servicePort", Ports.free()),
                ports("claims", "ports.operations", "service.port", Ports.free()),
                ports("console", "ports.http", "service.port", consolePort)));
    }

    private static String ports(String door, String container, String service, int port) {
        return "%s.%s=%d,%s.%s=%d".formatted(door, container, port, door, service, port);
    }

    static BerthRelease install(Helm helm, Cluster cluster, String namespace) {
        var release = new BerthRelease(helm, cluster, namespace);
        try {
            // The kinds are there already, as where a door was installed by its own chart before.
            release.helm("install", "--take-ownership");
            return release;
        } catch (AssertionError e) {
            release.close();
            throw e;
        }
    }

    void upgrade(String... set) {
        values.addAll(List.of(set));
        helm("upgrade");
    }

    private void helm(String verb, String... more) {
        var command = new ArrayList<>(List.of(
                verb, NAME, Helm.chart("berth").toString(), "--namespace=" + namespace, "--wait", "--timeout=140s"));
        command.addAll(List.of(more));
        values.forEach(each -> command.add("--set=" + each));
        told(() -> helm.run(command.toArray(String[]::new)));
    }

    String test() {
        return helm.run("test", NAME, "--namespace=" + namespace, "--timeout=120s");
    }

    /** What helm tells whoever installs it. */
    String notes() {
        return helm.run("get", "notes", NAME, "--namespace=" + namespace);
    }

    /** Its processes end a moment later. */
    void uninstall() {
        helm.run("uninstall", NAME, "--namespace=" + namespace);
    }

    GuardedProcess extendersScheduler() throws IOException, Programs.Unavailable {
        return new ChartScheduler(client, cluster, namespace, "gpu-admission-scheduler")
                .start(kubelet.readyAddresses("gpu-admission").getFirst(), extenderPort);
    }

    /** The page's content, for who has the token and for nobody else: alone, and beside the assigner's own page. */
    void consolesShow(List<String> nodes) {
        shows("berth-console", consolePort, "/api/rows", nodes);
        shows("gpu-device-assigner", pagePort, "/console/api/rows", nodes);
    }

    private void shows(String workload, int port, String path, List<String> nodes) {
        assertThat(says(workload, port, path, "another").statusCode()).isEqualTo(401);
        Await.until(
                PATIENCE,
                () -> nodes.stream()
                        .allMatch(says(workload, port, path, BerthStage.TOKEN).body()::contains),
                () -> "%s says %s"
                        .formatted(
                                workload,
                                says(workload, port, path, BerthStage.TOKEN).body()));
    }

    private HttpResponse<String> says(String workload, int port, String path, String token) {
        var address = kubelet.readyAddresses(workload).getFirst();
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(address, port, path)))
                            .header("Authorization", "Bearer " + token)
                            .timeout(PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the door of this name may do in a namespace that is nobody's. */
    List<String> rights(String workload, List<String> resources) {
        var account = client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(workload)
                .get()
                .getSpec()
                .getTemplate()
                .getSpec()
                .getServiceAccountName();
        return new Rights(client, namespace, account).in("default", resources);
    }

    int restarts() {
        return kubelet.restarts();
    }

    /** What goes wrong in here is told with what the doors said last. */
    void told(Runnable steps) {
        try {
            steps.run();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + kubelet.lastWords(), e);
        }
    }

    @Override
    public void close() {
        helm.attempt("uninstall", NAME, "--namespace=" + namespace);
        kubelet.close();
        client.close();
    }
}
