package dev.berth.e2e.chart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Ports;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The assigner's chart, installed: its replicas run, and there is a node with GPUs for them to give away. */
public final class AssignerRelease implements AutoCloseable {
    static final String NAME = "assigner";
    static final String FULL_NAME = "assigner-gpu-device-assigner";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String namespace;
    private final Helm helm;
    private final Kubelet kubelet;
    private final KubernetesClient client;
    private final int webhookPort = Ports.free();
    private final int uiPort = Ports.free();

    private AssignerRelease(Cluster cluster, String namespace) {
        this.namespace = namespace;
        helm = ProgramsOrSkip.helm(cluster);
        client = cluster.client(workNamespace());
        kubelet = Kubelet.start(cluster, namespace);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(workNamespace())
                        .endMetadata()
                        .build())
                .createOr(each -> each.update());
    }

    /** @param set values, as {@code --set} takes them */
    public static AssignerRelease install(Cluster cluster, String namespace, String... set) {
        var release = new AssignerRelease(cluster, namespace);
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
        return helm("upgrade", set);
    }

    private String helm(String verb, String... set) {
        List<String> command = new ArrayList<>(List.of(
                verb,
                NAME,
                Helm.chart("gpu-device-assigner").toString(),
                "--namespace=" + namespace,
                "--wait",
                "--timeout=90s",
                "--set=claims.namespace=" + claimsNamespace(),
                // The embedded server has no cluster addresses on loopback: it finds a Service at its target port.
                "--set=service.webhookPort=" + webhookPort + ",ports.webhook=" + webhookPort,
                "--set=service.uiPort=" + uiPort + ",ports.ui=" + uiPort));
        for (var each : set) command.add("--set=" + each);
        return helm.run(command.toArray(String[]::new));
    }

    String test() {
        return helm.run("test", NAME, "--namespace=" + namespace, "--timeout=60s");
    }

    void uninstall() {
        helm.run("uninstall", NAME, "--namespace=" + namespace, "--wait", "--timeout=60s");
    }

    KubernetesClient client() {
        return client;
    }

    Kubelet kubelet() {
        return kubelet;
    }

    /** Where the release is; its own pods are never asked about. */
    String namespace() {
        return namespace;
    }

    /** Where its users are. */
    String workNamespace() {
        return namespace + "-work";
    }

    String claimsNamespace() {
        return namespace + "-claims";
    }

    String webhookConfiguration() {
        return FULL_NAME + "." + namespace;
    }

    int webhookPort() {
        return webhookPort;
    }

    /** The page of one of the replicas. */
    public String page() {
        return "http://%s:%d/".formatted(kubelet.readyAddresses(FULL_NAME).getFirst(), uiPort);
    }

    /** A node that is ready, with GPUs by their UUID and labels. */
    public void addNode(String name, Map<String, List<String>> gpus) {
        var labels = Base64.getEncoder().encodeToString(json(gpus).getBytes(UTF_8));
        ReadyNode.create(
                client,
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToAnnotations("fudo.org/gpu.device.labels", labels)
                        .endMetadata()
                        .build(),
                gpus.size());
    }

    private static String json(Map<String, List<String>> gpus) {
        try {
            return new ObjectMapper().writeValueAsString(gpus);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param label such as {@code fudo.org/gpu.a100}; empty for a pod that wants no GPU */
    Pod pod(String name, String label) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(workNamespace())
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("example")
                .endContainer()
                .endSpec();
        if (label.isEmpty()) return pod.build();
        return pod.editMetadata()
                .addToLabels(label, "true")
                .endMetadata()
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Creates a GPU pod as soon as the API server asks the webhook: it hears of a new configuration a moment later. */
    public Pod createGpuPod(String name, String label) {
        List<Pod> created = new ArrayList<>();
        List<String> problems = new ArrayList<>(List.of(""));
        await(
                () -> {
                    try {
                        var pod = client.resource(pod(name, label)).create();
                        if (annotation(pod, "fudo.org/gpu.uuid") != null) return created.add(pod);
                        problems.add("it was created without annotations");
                        remove(pod);
                    } catch (KubernetesClientException e) {
                        problems.add(e.toString());
                    }
                    return false;
                },
                () -> problems.getLast());
        return created.getFirst();
    }

    static @Nullable String annotation(Pod pod, String name) {
        var annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    /** Nobody runs it: it goes at once. */
    public void remove(Pod pod) {
        client.resource(pod).withGracePeriod(0).delete();
    }

    void await(BooleanSupplier condition, String told) {
        await(condition, () -> told);
    }

    private void await(BooleanSupplier condition, Supplier<String> told) {
        Await.until(PATIENCE, condition, () -> told.get() + "\n" + kubelet.lastWords());
    }

    @Override
    public void close() {
        helm.attempt("uninstall", NAME, "--namespace=" + namespace);
        client.nodes().list().getItems().stream()
                .filter(node -> node.getMetadata().getName().startsWith(namespace))
                .forEach(node -> client.resource(node).delete());
        client.pods().inNamespace(workNamespace()).withGracePeriod(0).delete();
        kubelet.close();
        client.close();
    }
}
