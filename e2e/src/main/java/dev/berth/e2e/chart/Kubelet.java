package dev.berth.e2e.chart;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the pods of one namespace whose image is ours, as processes of this machine: it starts them, probes them, brings
 * them back when they end, and reports all that. Other pods are not its business.
 */
public final class Kubelet implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration STOP = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final KubernetesClient client;
    private final String namespace;
    private final Predicate<String> image;
    private final Path directory;
    private final ServiceNetwork network;
    private final Map<String, List<PodProcess>> pods = new ConcurrentHashMap<>();
    private final Thread loop = Thread.ofPlatform().name("kubelet").daemon().unstarted(this::run);
    private volatile @Nullable RuntimeException lastProblem;

    private Kubelet(Cluster cluster, String namespace, Predicate<String> image) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.image = image;
        client = cluster.client(namespace);
        try {
            directory = Files.createTempDirectory(
                    Files.createDirectories(E2eFolder.target("kubelet")), namespace + "-" + cluster.name() + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        network = new ServiceNetwork(directory.resolve("hosts"), this::readyPods);
    }

    /** Runs until it is closed; then its processes end. */
    public static Kubelet start(Cluster cluster, String namespace) {
        var kubelet = new Kubelet(cluster, namespace, image -> image.equals("berth") || image.startsWith("berth:"));
        kubelet.loop.start();
        return kubelet;
    }

    /** Where the pods of a name's beginning listen; those that are ready. */
    public List<String> readyAddresses(String namePrefix) {
        return pods.values().stream()
                .filter(Kubelet::ready)
                .map(List::getFirst)
                .filter(each -> each.pod().getMetadata().getName().startsWith(namePrefix))
                .map(PodProcess::address)
                .sorted()
                .toList();
    }

    /** How often containers had to be brought back. */
    public int restarts() {
        return processes().mapToInt(PodProcess::restarts).sum();
    }

    /** Ends a ready pod's process as a power cut would. */
    public void killOne() {
        processes()
                .filter(PodProcess::ready)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no pod is ready"))
                .kill();
    }

    /** For messages of tests that failed: what the processes printed last. */
    public String lastWords() {
        var words = processes()
                .map(each -> "%s/%s:\n%s"
                        .formatted(
                                each.pod().getMetadata().getName(),
                                each.container().getName(),
                                each.lastWords()))
                .collect(Collectors.joining("\n"));
        return lastProblem == null ? words : words + "\nkubelet: " + lastProblem;
    }

    /** What a pod's first container has printed so far. */
    public String log(String podName) {
        var process = processes()
                .filter(each -> each.pod().getMetadata().getName().equals(podName))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no pod is called " + podName));
        try {
            return Files.readString(process.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                network.follow(client.services().inNamespace(namespace).list().getItems());
                sync(client.pods().inNamespace(namespace).list().getItems());
                Thread.sleep(PERIOD);
            } catch (InterruptedException e) {
                return;
            } catch (KubernetesClientException | IllegalStateException | UncheckedIOException e) {
                // A pod changed under our hands, or lacks something still: the next round looks again.
                lastProblem = e;
            }
        }
    }

    private void sync(List<Pod> listed) {
        var present = listed.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        pods.entrySet().removeIf(entry -> {
            if (present.contains(entry.getKey())) return false;
            stop(entry.getValue());
            return true;
        });
        for (var pod : listed) {
            if (pod.getSpec().getContainers().stream().noneMatch(each -> image.test(each.getImage()))) continue;
            if (pod.getMetadata().getDeletionTimestamp() != null) {
                finish(pod);
            } else if (!PodReport.ended(pod) && !waitsForItsScheduler(pod)) {
                keepRunning(pod);
            }
        }
    }

    /** Nobody plays the cluster's own scheduler here: its pods run without a node. All others wait for theirs. */
    private static boolean waitsForItsScheduler(Pod pod) {
        var node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        return node.isEmpty()
                && !"default-scheduler"
                        .equals(Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), "default-scheduler"));
    }

    private void keepRunning(Pod pod) {
        var containers = pods.get(pod.getMetadata().getUid());
        if (containers == null) {
            var folder = new PodFolder(cluster, client, pod, folder(pod));
            var address = newAddress();
            var created = pod.getSpec().getContainers().stream()
                    .filter(each -> image.test(each.getImage()))
                    .map(each -> new PodProcess(pod, each, folder, address, network.hosts()))
                    .toList();
            // A volume that cannot be filled yet is found out before anything runs.
            folder.refreshVolumes();
            created.forEach(PodProcess::start);
            pods.put(pod.getMetadata().getUid(), created);
            containers = created;
        }
        for (var running : containers) {
            running.folder().refreshVolumes();
            var code = running.exitCode();
            if (code.isPresent() && pod.getSpec().getRestartPolicy().equals("Always")) {
                running.ready(false);
                running.restart();
            }
            running.ready(code.isEmpty() && Probe.passes(running));
        }
        PodReport.of(containers).writeTo(client, pod);
    }

    private void finish(Pod pod) {
        var running = pods.remove(pod.getMetadata().getUid());
        if (running != null) {
            stop(running);
        }
        client.resource(pod).withGracePeriod(0).delete();
    }

    private static void stop(List<PodProcess> containers) {
        containers.forEach(each -> each.ready(false));
        containers.parallelStream().forEach(PodProcess::close);
    }

    private static boolean ready(List<PodProcess> containers) {
        return containers.stream().allMatch(PodProcess::ready);
    }

    private Stream<PodProcess> processes() {
        return pods.values().stream().flatMap(List::stream);
    }

    private List<PodProcess> readyPods(Service service) {
        var selector = Objects.requireNonNullElse(service.getSpec().getSelector(), Map.<String, String>of());
        return pods.values().stream()
                .filter(Kubelet::ready)
                .map(List::getFirst)
                .filter(each -> Objects.requireNonNullElse(
                                each.pod().getMetadata().getLabels(), Map.<String, String>of())
                        .entrySet()
                        .containsAll(selector.entrySet()))
                .toList();
    }

    private Path folder(Pod pod) {
        try {
            return Files.createDirectories(directory.resolve(pod.getMetadata().getName()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Linux answers on all of 127.0.0.0/8; a random one keeps apart what runs at the same time. */
    private static String newAddress() {
        var random = ThreadLocalRandom.current();
        return "127.%d.%d.%d".formatted(random.nextInt(100, 250), random.nextInt(256), random.nextInt(1, 255));
    }

    @Override
    public void close() {
        loop.interrupt();
        try {
            if (!loop.join(STOP)) throw new IllegalStateException("the kubelet did not stop");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        network.close();
        processes().parallel().forEach(PodProcess::close);
        client.close();
    }
}
