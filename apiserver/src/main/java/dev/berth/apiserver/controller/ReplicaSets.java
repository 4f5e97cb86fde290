package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.LabelSelector;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps as many pods of one template as a ReplicaSet asks for. */
final class ReplicaSets implements Controller {
    /** As many pods as are created or deleted before the status is written and others get their turn. */
    private static final int BURST = 500;

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror replicaSets;

    ReplicaSets(Cluster cluster) {
        this.cluster = cluster;
        this.replicaSets = cluster.mirror(Resources.REPLICA_SETS);
        replicaSets.follow(Owners.self(queue));
        cluster.mirror(Resources.PODS).follow(Owners.ofKind("ReplicaSet", "apps", queue));
        cluster.mirror(Resources.PODS).follow(Owners.ofOrphans(replicaSets, queue));
    }

    @Override
    public String name() {
        return "replicaset-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode set = replicaSets.get(key).orElse(null);
        if (set == null) return Optional.empty();
        LabelSelector selector = LabelSelector.of(set.path("spec").path("selector"));
        List<ObjectNode> pods = Pods.claimed(cluster, set, selector);
        List<ObjectNode> active = pods.stream().filter(Pods::active).toList();
        int missing = set.path("spec").path("replicas").asInt(1) - active.size();
        ApiException failure = null;
        try {
            if (!Fields.deleting(set)) manage(set, active, missing);
        } catch (ApiException refused) {
            failure = refused;
        }
        writeStatus(set, selector, missing, failure);
        if (failure != null) throw failure;
        if (Math.abs(missing) > BURST && !Fields.deleting(set)) queue.add(key);
        int minReady = set.path("spec").path("minReadySeconds").asInt();
        return Optional.of(Pods.untilAvailable(active, minReady, cluster.now())).filter(Duration::isPositive);
    }

    private void manage(ObjectNode set, List<ObjectNode> active, int missing) {
        for (int i = 0; i < Math.min(missing, BURST); i++) {
            ObjectNode pod = Pods.fromTemplate(set, set.path("spec").path("template"));
            cluster.create(Resources.PODS, Fields.namespace(set), pod);
        }
        active.stream()
                .sorted(Pods.FIRST_TO_GO)
                .limit(Math.clamp(-(long) missing, 0, BURST))
                .forEach(pod -> cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod))));
    }

    private void writeStatus(ObjectNode set, LabelSelector selector, int missing, @Nullable ApiException failure) {
        List<ObjectNode> pods = cluster.mirror(Resources.PODS).controlledBy(Fields.uid(set)).stream()
                .filter(selector::matches)
                .toList();
        List<ObjectNode> active = pods.stream().filter(Pods::active).toList();
        var template = LabelSelector.ofLabels(
                set.path("spec").path("template").path("metadata").path("labels"));
        int minReady = set.path("spec").path("minReadySeconds").asInt();
        ObjectNode status = set.path("status").isObject() ? set.path("status").deepCopy() : set.objectNode();
        status.put("replicas", active.size());
        count(
                status,
                "fullyLabeledReplicas",
                active.stream().filter(template::matches).count());
        count(status, "readyReplicas", active.stream().filter(Pods::ready).count());
        count(
                status,
                "availableReplicas",
                active.stream()
                        .filter(pod -> Pods.available(pod, minReady, cluster.now()))
                        .count());
        status.put("terminatingReplicas", (int) pods.stream()
                .filter(pod -> Fields.deleting(pod) && !Pods.finished(pod))
                .count());
        status.put("observedGeneration", set.path("metadata").path("generation").asLong());
        if (failure == null) Conditions.remove(status, "ReplicaFailure");
        else {
            String reason = missing > 0 ? "FailedCreate" : "FailedDelete";
            Conditions.set(status, "ReplicaFailure", "True", reason, failure.getMessage(), cluster.now());
        }
        Statuses.write(cluster, Resources.REPLICA_SETS, set, status);
    }

    /** Zero is left out, as Kubernetes does. */
    private static void count(ObjectNode status, String field, long count) {
        if (count == 0) status.remove(field);
        else status.put(field, (int) count);
    }
}
