package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.LabelSelector;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Keeps numbered pods with stable names; one after the other, unless they may come all at once. */
final class StatefulSets implements Controller {
    private static final String REVISION = "controller-revision-hash";

    private final Cluster cluster;
    private final Revisions revisions;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror sets;

    StatefulSets(Cluster cluster) {
        this.cluster = cluster;
        this.revisions = new Revisions(cluster);
        this.sets = cluster.mirror(Resources.STATEFUL_SETS);
        sets.follow(Owners.self(queue));
        cluster.mirror(Resources.PODS).follow(Owners.ofKind("StatefulSet", "apps", queue));
        cluster.mirror(Resources.PODS).follow(Owners.ofOrphans(sets, queue));
    }

    @Override
    public String name() {
        return "statefulset-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    /** One set with what is known of it in this round. */
    private record Round(ObjectNode set, Map<Integer, ObjectNode> pods, String current, String update) {
        int start() {
            return set.path("spec").path("ordinals").path("start").asInt();
        }

        int end() {
            return start() + set.path("spec").path("replicas").asInt(1);
        }

        boolean parallel() {
            return set.path("spec").path("podManagementPolicy").asText().equals("Parallel");
        }

        int minReady() {
            return set.path("spec").path("minReadySeconds").asInt();
        }

        boolean rolls() {
            return !set.path("spec")
                    .path("updateStrategy")
                    .path("type")
                    .asText()
                    .equals("OnDelete");
        }

        int partition() {
            return set.path("spec")
                    .path("updateStrategy")
                    .path("rollingUpdate")
                    .path("partition")
                    .asInt();
        }
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode set = sets.get(key).orElse(null);
        if (set == null) return Optional.empty();
        List<ObjectNode> owned =
                Pods.claimed(cluster, set, LabelSelector.of(set.path("spec").path("selector")));
        Map<Integer, ObjectNode> pods = new TreeMap<>();
        for (ObjectNode pod : owned) ordinal(set, pod).ifPresent(ordinal -> pods.put(ordinal, pod));
        String update = revisions.ensure(set);
        String current = set.path("status").path("currentRevision").asText("");
        var round = new Round(set, pods, current.isEmpty() ? update : current, update);
        if (!Fields.deleting(set)) step(round);
        writeStatus(round);
        return Optional.of(Pods.untilAvailable(List.copyOf(pods.values()), round.minReady(), cluster.now()))
                .filter(Duration::isPositive);
    }

    private static Optional<Integer> ordinal(ObjectNode set, ObjectNode pod) {
        String prefix = Fields.name(set) + "-";
        if (!Fields.name(pod).startsWith(prefix)) return Optional.empty();
        String digits = Fields.name(pod).substring(prefix.length());
        boolean number =
                !digits.isEmpty() && digits.length() < 10 && digits.chars().allMatch(Character::isDigit);
        return number ? Optional.of(Integer.parseInt(digits)) : Optional.empty();
    }

    /** As far as one round may go: in order, a pod that is not there yet, not ready or going stops everything. */
    private void step(Round round) {
        for (int ordinal = round.start(); ordinal < round.end(); ordinal++) {
            ObjectNode pod = round.pods().get(ordinal);
            boolean settled = pod != null && settle(round, pod);
            if (pod == null) create(round, ordinal);
            if (!settled && !round.parallel()) return;
        }
        if (!shrink(round)) return;
        if (round.rolls()) roll(round);
    }

    /** True when the pod needs nothing and the next one may have its turn. */
    private boolean settle(Round round, ObjectNode pod) {
        if (Pods.finished(pod) && !Fields.deleting(pod)) {
            cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod)));
            return false;
        }
        return !Fields.deleting(pod) && Pods.available(pod, round.minReady(), cluster.now());
    }

    private void create(Round round, int ordinal) {
        ObjectNode set = round.set();
        boolean newest = ordinal >= round.partition() || round.current().equals(round.update());
        String revision = newest ? round.update() : round.current();
        ObjectNode pod = Pods.fromTemplate(set, revisions.template(set, revision));
        String name = Fields.name(set) + "-" + ordinal;
        ObjectNode metadata = (ObjectNode) pod.get("metadata");
        metadata.put("name", name);
        metadata.withObjectProperty("labels")
                .put(REVISION, revision)
                .put("statefulset.kubernetes.io/pod-name", name)
                .put("apps.kubernetes.io/pod-index", Integer.toString(ordinal));
        ObjectNode spec = (ObjectNode) pod.get("spec");
        spec.put("hostname", name);
        String service = set.path("spec").path("serviceName").asText("");
        if (!service.isEmpty()) spec.put("subdomain", service);
        ObjectNode created = cluster.create(Resources.PODS, Fields.namespace(set), pod);
        round.pods().put(ordinal, created);
    }

    /** Deletes from the top what is beyond the wanted number. True when nothing is left to be deleted. */
    private boolean shrink(Round round) {
        List<ObjectNode> beyond = round.pods().entrySet().stream()
                .filter(each -> each.getKey() < round.start() || each.getKey() >= round.end())
                .map(Map.Entry::getValue)
                .toList()
                .reversed();
        for (ObjectNode pod : beyond) {
            if (!Fields.deleting(pod)) cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod)));
            if (!round.parallel()) return false;
        }
        return beyond.isEmpty();
    }

    private void roll(Round round) {
        for (int ordinal = round.end() - 1; ordinal >= Math.max(round.start(), round.partition()); ordinal--) {
            ObjectNode pod = round.pods().get(ordinal);
            if (pod == null || Fields.deleting(pod)) return;
            if (!Fields.label(pod, REVISION).equals(round.update())) {
                cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod)));
                return;
            }
            if (!Pods.available(pod, round.minReady(), cluster.now())) return;
        }
    }

    private void writeStatus(Round round) {
        ObjectNode set = round.set();
        List<ObjectNode> pods = cluster.mirror(Resources.PODS).controlledBy(Fields.uid(set));
        int replicas = pods.size();
        int ready = count(pods, Pods::ready);
        int updated = count(pods, pod -> is(pod, round.update()));
        boolean complete = updated == replicas
                && replicas == set.path("spec").path("replicas").asInt(1)
                && ready == replicas
                && round.partition() <= round.start();
        String current = complete ? round.update() : round.current();
        ObjectNode status = set.objectNode();
        status.put("observedGeneration", set.path("metadata").path("generation").asLong());
        status.put("replicas", replicas);
        if (ready > 0) status.put("readyReplicas", ready);
        int currents = count(pods, pod -> is(pod, current));
        if (currents > 0) status.put("currentReplicas", currents);
        if (updated > 0) status.put("updatedReplicas", updated);
        status.put("currentRevision", current).put("updateRevision", round.update());
        status.put("collisionCount", set.path("status").path("collisionCount").asInt());
        status.put(
                "availableReplicas",
                count(pods, pod -> !Fields.deleting(pod) && Pods.available(pod, round.minReady(), cluster.now())));
        JsonNode conditions = set.path("status").path("conditions");
        if (!conditions.isEmpty()) status.set("conditions", conditions.deepCopy());
        Statuses.write(cluster, Resources.STATEFUL_SETS, set, status);
    }

    private static boolean is(ObjectNode pod, String revision) {
        return !Fields.deleting(pod) && Fields.label(pod, REVISION).equals(revision);
    }

    private static int count(List<ObjectNode> pods, Predicate<ObjectNode> which) {
        return (int) pods.stream().filter(which).count();
    }
}
