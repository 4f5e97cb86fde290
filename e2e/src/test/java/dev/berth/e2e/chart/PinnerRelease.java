package dev.berth.e2e.chart;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Ports;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The pinner's chart, installed under the document's name, and beside it the check's in a namespace of users. */
final class PinnerRelease implements AutoCloseable {
    static final String NAME = "gpu-scheduler";
    private static final String CHECK = "check";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String namespace;
    private final Helm helm;
    private final Kubelet kubelet;
    private final Kubelet users;
    private final KubernetesClient client;
    private final List<String> nodes = new ArrayList<>();
    private final int healthPort = Ports.free();
    private final int webhookPort = Ports.free();

    private PinnerRelease(Cluster cluster, String namespace) {
        this.namespace = namespace;
        helm = ProgramsOrSkip.helm(cluster);
        client = cluster.client(workNamespace());
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(workNamespace())
                        .endMetadata()
                        .build())
                .createOr(each -> each.update());
        kubelet = Kubelet.start(cluster, namespace);
        users = Kubelet.start(cluster, workNamespace());
    }

    static PinnerRelease install(Cluster cluster, String namespace, String... set) {
        var release = new PinnerRelease(cluster, namespace);
        try {
            release.helm("install", set);
            return release;
        } catch (AssertionError e) {
            var words = release.kubelet.lastWords();
            release.close();
            throw new AssertionError(e.getMessage() + "\n" + words, e);
        }
    }

    String upgrade(String... set) {
        try {
            return helm("upgrade", set);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + kubelet.lastWords(), e);
        }
    }

    private String helm(String verb, String... set) {
        List<String> command = new ArrayList<>(List.of(
                verb,
                NAME,
                Helm.chart("gpu-scheduler").toString(),
                "--namespace=" + namespace,
                "--wait",
                "--timeout=120s",
                "--set=image.repository=berth",
                "--set=ports.health=" + healthPort + ",service.port=" + healthPort,
                // The embedded server has no cluster addresses on loopback: it finds a Service at its target port.
                "--set=ports.webhook=" + webhookPort + ",webhook.servicePort=" + webhookPort));
        for (var each : set) command.add("--set=" + each);
        return helm.run(command.toArray(String[]::new));
    }

    void installCheck(String nodePrefix) {
        List<String> command = new ArrayList<>(List.of(
                "install",
                CHECK,
                Helm.chart("gpu-scheduler-check").toString(),
                "--namespace=" + workNamespace(),
                "--set=image.repository=berth,testService.logInterval=1"));
        var places = List.of("1:0\\,1", "2:2", "3:0\\,1\\,2", "4:3", "4:3");
        for (int i = 0; i < places.size(); i++) {
            var place = places.get(i).split(":");
            command.add(
                    "--set=gpuScheduling.schedulingMap[%d].podIndex=%d,gpuScheduling.schedulingMap[%d].nodeName=%s%s"
                            .formatted(i, i, i, nodePrefix, place[0]));
            command.add("--set-string=gpuScheduling.schedulingMap[%d].gpuDevices=%s".formatted(i, place[1]));
        }
        helm.run(command.toArray(String[]::new));
    }

    String test() {
        return helm.run("test", NAME, "--namespace=" + namespace, "--timeout=60s");
    }

    void uninstall() {
        helm.run("uninstall", NAME, "--namespace=" + namespace, "--wait", "--timeout=60s");
    }

    /** A Ready node with four GPUs, as maps call it. */
    void addNode(String name, String label) {
        nodes.add(name);
        ReadyNode.create(
                client,
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("gpu-node-name", label)
                        .endMetadata()
                        .build(),
                4);
    }

    /** The last line that a replica of the check has said, without its time. */
    String said(int replica) {
        var pod = "%s-gpu-scheduler-check-%d".formatted(CHECK, replica);
        try {
            return users.log(pod)
                    .lines()
                    .filter(line -> line.contains("Node: "))
                    .reduce("", (before, line) -> line.substring(line.indexOf("Node: ")));
        } catch (AssertionError | UncheckedIOException notRunning) {
            return "";
        }
    }

    void awaitSaid(int replica, String line) {
        await(
                () -> said(replica).equals(line),
                "replica %d says '%s', not '%s'".formatted(replica, said(replica), line));
    }

    void deleteCheckPods() {
        client.pods()
                .inNamespace(workNamespace())
                .withLabel("app.kubernetes.io/instance", CHECK)
                .withGracePeriod(0)
                .delete();
    }

    KubernetesClient client() {
        return client;
    }

    Kubelet kubelet() {
        return kubelet;
    }

    String namespace() {
        return namespace;
    }

    String workNamespace() {
        return namespace + "-work";
    }

    void await(BooleanSupplier condition, String told) {
        Await.until(PATIENCE, condition, () -> told + "\n" + kubelet.lastWords() + "\n" + users.lastWords());
    }

    @Override
    public void close() {
        helm.attempt("uninstall", CHECK, "--namespace=" + workNamespace());
        helm.attempt("uninstall", NAME, "--namespace=" + namespace);
        client.pods().inNamespace(workNamespace()).withGracePeriod(0).delete();
        for (var node : nodes) {
            client.nodes().withName(node).delete();
            client.genericKubernetesResources("berth.dev/v1alpha1", "NodeLedger")
                    .withName(node)
                    .delete();
        }
        kubelet.close();
        users.close();
        client.close();
    }
}
