package dev.berth.bench.subject;

import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sees by a watch, as a kubelet does, when pods that were asked about have a node. */
final class BoundPods implements Watcher<Pod>, AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Cluster cluster;
    private final Watch watch;
    private final Map<String, CompletableFuture<Long>> awaited = new ConcurrentHashMap<>();

    BoundPods(Path kubeconfig, String namespace) {
        cluster = Cluster.connect(ConnectionSettings.of(Optional.of(kubeconfig), Optional.empty()));
        watch = cluster.client().pods().inNamespace(namespace).watch(this);
    }

    /** To be called before the pod is made. */
    void expect(String pod) {
        awaited.put(pod, new CompletableFuture<>());
    }

    void await(String pod) throws IOException {
        var seen = awaited.get(pod);
        if (seen == null) throw new IllegalStateException(pod + " is not expected");
        try {
            seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException late) {
            throw new IOException(pod + " is not bound", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        } finally {
            awaited.remove(pod);
        }
    }

    @Override
    public void eventReceived(Action action, Pod pod) {
        var node = pod.getSpec().getNodeName();
        var expected = awaited.get(pod.getMetadata().getName());
        if (expected != null && node != null && !node.isEmpty()) expected.complete(System.nanoTime());
    }

    @Override
    public boolean reconnecting() {
        return true;
    }

    /** Whoever waits runs into his time-out then. */
    @Override
    public void onClose(WatcherException cause) {}

    @Override
    public void close() {
        watch.close();
        cluster.close();
    }
}
