package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.util.Optional;

/** Removes the pods of a node that is gone, and those that were deleted before any node had them. */
final class PodCollector implements Controller {
    private static final Duration QUARANTINE = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror pods;
    private final Mirror nodes;

    PodCollector(Cluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.mirror(Resources.NODES);
        this.pods = cluster.mirror(Resources.PODS);
        nodes.follow((before, now) -> {
            if (now == null && before != null) nodeIsGone(Fields.name(before));
        });
        pods.follow((before, now) -> {
            if (now == null) return;
            String node = now.path("spec").path("nodeName").asText("");
            boolean lost = !node.isEmpty() && nodes.get(new Key("", node)).isEmpty();
            if (lost || (node.isEmpty() && Fields.deleting(now))) queue.addAfter(Key.of(now), QUARANTINE);
        });
    }

    private void nodeIsGone(String node) {
        for (ObjectNode pod : pods.all()) {
            if (pod.path("spec").path("nodeName").asText("").equals(node)) queue.addAfter(Key.of(pod), QUARANTINE);
        }
    }

    @Override
    public String name() {
        return "pod-garbage-collector-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode pod = pods.get(key).orElse(null);
        if (pod == null) return Optional.empty();
        String node = pod.path("spec").path("nodeName").asText("");
        boolean lost =
                !node.isEmpty() && cluster.api().get(Resources.NODES, "", node).isEmpty();
        boolean neverPlaced = node.isEmpty() && Fields.deleting(pod);
        if (!lost && !neverPlaced) return Optional.empty();
        if (lost && !Pods.finished(pod)) cluster.modifyStatus(Resources.PODS, pod, this::fail);
        cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod)).now());
        return Optional.empty();
    }

    private boolean fail(ObjectNode pod) {
        ObjectNode status = pod.withObjectProperty("status").put("phase", "Failed");
        Conditions.set(
                status, "DisruptionTarget", "True", "DeletionByPodGC", "PodGC: node no longer exists", cluster.now());
        return true;
    }
}
