package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Moves a Deployment's pods from the ReplicaSets of old templates to the one of the newest. */
final class Deployments implements Controller {
    static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    private static final String MOST = "deployment.kubernetes.io/max-replicas";
    private static final String HASH = "pod-template-hash";
    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            REVISION,
            "deployment.kubernetes.io/revision-history",
            DESIRED,
            MOST,
            "deprecated.deployment.rollback.to");

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror deployments;
    private final Mirror replicaSets;

    Deployments(Cluster cluster) {
        this.cluster = cluster;
        this.deployments = cluster.mirror(Resources.DEPLOYMENTS);
        this.replicaSets = cluster.mirror(Resources.REPLICA_SETS);
        deployments.follow(Owners.self(queue));
        replicaSets.follow(Owners.ofKind("Deployment", "apps", queue));
        // A Recreate rollout waits for the last old pod to be gone, which no ReplicaSet's count tells.
        cluster.mirror(Resources.PODS).follow((before, now) -> {
            if (now == null && before != null) podIsGone(before);
        });
    }

    private void podIsGone(ObjectNode pod) {
        JsonNode owner = Fields.controller(pod);
        if (!owner.path("kind").asText().equals("ReplicaSet")) return;
        replicaSets
                .get(new Key(Fields.namespace(pod), owner.path("name").asText()))
                .map(Fields::controller)
                .ifPresent(deployment -> queue.add(
                        new Key(Fields.namespace(pod), deployment.path("name").asText())));
    }

    @Override
    public String name() {
        return "deployment-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode deployment = deployments.get(key).orElse(null);
        if (deployment == null) return Optional.empty();
        List<ObjectNode> sets = sorted(replicaSets.controlledBy(Fields.uid(deployment)));
        if (Fields.deleting(deployment)) {
            status(deployment, sets, newest(deployment, sets));
            return Optional.empty();
        }
        boolean paused = deployment.path("spec").path("paused").asBoolean();
        ObjectNode newest = newest(deployment, sets);
        List<ObjectNode> old = new ArrayList<>(sets);
        old.remove(newest);
        Rollout rollout = Rollout.of(deployment);
        if (newest == null && !paused) {
            if (rollout.recreate() && !emptied(old, rollout)) {
                status(deployment, old, null);
                return Optional.empty();
            }
            newest = createNewest(deployment, old, rollout);
            if (newest == null) return Optional.of(Duration.ofMillis(5));
        } else if (newest != null) {
            newest = annotated(deployment, newest, revisionAfter(old));
            roll(newest, old, rollout, paused);
        }
        sets = sorted(replicaSets.controlledBy(Fields.uid(deployment)));
        newest = newest(deployment, sets);
        status(deployment, sets, newest);
        tidy(deployment, sets, newest);
        return untilDeadline(key);
    }

    private Optional<Duration> untilDeadline(Key key) {
        ObjectNode current = deployments.get(key).orElse(null);
        if (current == null || DeploymentStatus.complete(current, current.path("status"))) return Optional.empty();
        JsonNode deadline = current.path("spec").path("progressDeadlineSeconds");
        if (!deadline.isNumber() || !Fields.holds(current, "Progressing")) return Optional.empty();
        return Optional.of(Duration.ofSeconds(deadline.asLong() + 1));
    }

    private static List<ObjectNode> sorted(List<ObjectNode> sets) {
        return sets.stream()
                .sorted(Comparator.comparing(Fields::created).thenComparing(Fields::name))
                .toList();
    }

    private static @Nullable ObjectNode newest(ObjectNode deployment, List<ObjectNode> sets) {
        JsonNode wanted = deployment.path("spec").path("template");
        for (ObjectNode set : sets) {
            ObjectNode template = set.path("spec").path("template").deepCopy();
            if (template.path("metadata").path("labels") instanceof ObjectNode labels) labels.remove(HASH);
            if (template.equals(wanted)) return set;
        }
        return null;
    }

    private static long revisionAfter(List<ObjectNode> old) {
        return 1 + old.stream().mapToLong(Deployments::revision).max().orElse(0);
    }

    private static long revision(JsonNode set) {
        String revision = Fields.annotation(set, REVISION);
        return revision.isEmpty() ? 0 : Long.parseLong(revision);
    }

    private @Nullable ObjectNode createNewest(ObjectNode deployment, List<ObjectNode> old, Rollout rollout) {
        int collisions = deployment.path("status").path("collisionCount").asInt();
        JsonNode template = deployment.path("spec").path("template");
        String hash = TemplateHash.of(template, collisions);
        var set = JsonNodeFactory.instance.objectNode();
        set.put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", Fields.name(deployment) + "-" + hash).put("namespace", Fields.namespace(deployment));
        metadata.set("labels", labelled(template.path("metadata").path("labels"), hash));
        metadata.putArray("ownerReferences").add(Fields.controllerReference(deployment));
        ObjectNode spec = set.putObject("spec");
        spec.put("replicas", rollout.forNew(0, Rollout.total(old)));
        int minReady = deployment.path("spec").path("minReadySeconds").asInt();
        if (minReady > 0) spec.put("minReadySeconds", minReady);
        ObjectNode selector = deployment.path("spec").path("selector").deepCopy();
        selector.set("matchLabels", labelled(selector.path("matchLabels"), hash));
        spec.set("selector", selector);
        ObjectNode copy = template.deepCopy();
        copy.withObjectProperty("metadata")
                .set("labels", labelled(template.path("metadata").path("labels"), hash));
        spec.set("template", copy);
        annotate(deployment, set, revisionAfter(old));
        scaleNotes(set, rollout);
        try {
            ObjectNode created = cluster.create(Resources.REPLICA_SETS, Fields.namespace(deployment), set);
            progress(deployment, "NewReplicaSetCreated", "Created new replica set \"" + Fields.name(created) + "\"");
            return created;
        } catch (ApiException refused) {
            if (refused.code() != 409) throw refused;
            // Somebody else's set has the name: the next hash will differ.
            cluster.modifyStatus(Resources.DEPLOYMENTS, deployment, live -> {
                live.withObjectProperty("status").put("collisionCount", collisions + 1);
                return true;
            });
            return null;
        }
    }

    private static ObjectNode labelled(JsonNode labels, String hash) {
        ObjectNode copy = labels instanceof ObjectNode known ? known.deepCopy() : JsonNodeFactory.instance.objectNode();
        return copy.put(HASH, hash);
    }

    private static boolean annotate(ObjectNode deployment, ObjectNode set, long revision) {
        ObjectNode annotations = set.withObjectProperty("metadata").withObjectProperty("annotations");
        ObjectNode before = annotations.deepCopy();
        deployment.path("metadata").path("annotations").properties().forEach(each -> {
            if (!NOT_COPIED.contains(each.getKey())) annotations.set(each.getKey(), each.getValue());
        });
        if (revision(set) < revision) {
            String former = annotations.path(REVISION).asText("");
            if (!former.isEmpty()) {
                String history = annotations
                        .path("deployment.kubernetes.io/revision-history")
                        .asText("");
                annotations.put(
                        "deployment.kubernetes.io/revision-history",
                        history.isEmpty() ? former : history + "," + former);
            }
            annotations.put(REVISION, Long.toString(revision));
        }
        return !annotations.equals(before);
    }

    private static boolean scaleNotes(ObjectNode set, Rollout rollout) {
        ObjectNode annotations = set.withObjectProperty("metadata").withObjectProperty("annotations");
        ObjectNode before = annotations.deepCopy();
        annotations.put(DESIRED, Integer.toString(rollout.desired()));
        annotations.put(MOST, Integer.toString(rollout.desired() + rollout.maxSurge()));
        return !annotations.equals(before);
    }

    private ObjectNode annotated(ObjectNode deployment, ObjectNode newest, long revision) {
        int minReady = deployment.path("spec").path("minReadySeconds").asInt();
        boolean same = newest.path("spec").path("minReadySeconds").asInt() == minReady;
        if (same && !annotate(deployment, newest.deepCopy(), revision)) return newest;
        return cluster.modify(Resources.REPLICA_SETS, newest, live -> {
                    ((ObjectNode) live.path("spec")).put("minReadySeconds", minReady);
                    annotate(deployment, live, revision);
                    return true;
                })
                .orElse(newest);
    }

    private void roll(ObjectNode newest, List<ObjectNode> old, Rollout rollout, boolean paused) {
        List<ObjectNode> all = new ArrayList<>(old);
        all.add(newest);
        boolean alone = Rollout.total(old) == 0;
        if (paused) {
            if (alone) scale(newest, rollout.desired(), rollout);
            return;
        }
        if (rollout.recreate() && !emptied(old, rollout)) return;
        int current = Rollout.replicas(newest);
        int wanted = current > rollout.desired() ? rollout.desired() : rollout.forNew(current, Rollout.total(all));
        scale(newest, wanted, rollout);
        if (wanted == current && !alone) scaleDown(newest, old, all, rollout);
    }

    /** For Recreate: whether the last pod of the old template is gone. */
    private boolean emptied(List<ObjectNode> old, Rollout rollout) {
        boolean pods = false;
        for (ObjectNode set : old) {
            scale(set, 0, rollout);
            pods |= cluster.mirror(Resources.PODS).controlledBy(Fields.uid(set)).stream()
                    .anyMatch(pod -> !Pods.finished(pod));
        }
        return !pods;
    }

    private void scaleDown(ObjectNode newest, List<ObjectNode> old, List<ObjectNode> all, Rollout rollout) {
        int newUnavailable = Rollout.replicas(newest)
                - newest.path("status").path("availableReplicas").asInt();
        int most = Rollout.total(all) - rollout.mustBeAvailable() - newUnavailable;
        int spare = Rollout.sum(all, "availableReplicas") - rollout.mustBeAvailable();
        for (ObjectNode set : old) {
            int replicas = Rollout.replicas(set);
            int available = Math.min(
                    replicas, set.path("status").path("availableReplicas").asInt());
            int sick = Math.clamp(most, 0, replicas - available);
            int healthy = Math.clamp(Math.min(spare, most - sick), 0, available);
            most -= sick + healthy;
            spare -= healthy;
            scale(set, replicas - sick - healthy, rollout);
        }
    }

    private void scale(ObjectNode set, int replicas, Rollout rollout) {
        boolean sized = Rollout.replicas(set) == replicas;
        if (sized && (replicas == 0 || !scaleNotes(set.deepCopy(), rollout))) return;
        cluster.modify(Resources.REPLICA_SETS, set, live -> {
            ((ObjectNode) live.path("spec")).put("replicas", replicas);
            scaleNotes(live, rollout);
            return true;
        });
    }

    private void progress(ObjectNode deployment, String reason, String message) {
        if (!deployment.path("spec").hasNonNull("progressDeadlineSeconds")) return;
        cluster.modifyStatus(Resources.DEPLOYMENTS, deployment, live -> {
            ObjectNode status = live.withObjectProperty("status");
            Conditions.remove(status, "Progressing");
            DeploymentStatus.condition(status, "Progressing", "True", reason, message, cluster.now());
            return true;
        });
    }

    private void status(ObjectNode deployment, List<ObjectNode> sets, @Nullable ObjectNode newest) {
        ObjectNode current = deployments.get(Key.of(deployment)).orElse(deployment);
        ObjectNode status = DeploymentStatus.of(current, sets, newest, cluster.now());
        Statuses.write(cluster, Resources.DEPLOYMENTS, current, status);
        String revision = newest == null ? "" : Fields.annotation(newest, REVISION);
        if (revision.isEmpty() || Fields.annotation(current, REVISION).equals(revision)) return;
        cluster.modify(Resources.DEPLOYMENTS, current, live -> {
            live.withObjectProperty("metadata")
                    .withObjectProperty("annotations")
                    .put(REVISION, revision);
            return true;
        });
    }

    /** Forgets the oldest templates once the newest is out. */
    private void tidy(ObjectNode deployment, List<ObjectNode> sets, @Nullable ObjectNode newest) {
        ObjectNode current = deployments.get(Key.of(deployment)).orElse(deployment);
        if (!DeploymentStatus.complete(current, current.path("status"))) return;
        List<ObjectNode> idle = sets.stream()
                .filter(set -> !set.equals(newest) && Rollout.replicas(set) == 0)
                .filter(set -> set.path("status").path("replicas").asInt() == 0 && !Fields.deleting(set))
                .sorted(Comparator.comparingLong(Deployments::revision))
                .toList();
        int surplus = idle.size()
                - deployment.path("spec").path("revisionHistoryLimit").asInt(10);
        for (int i = 0; i < surplus; i++) {
            cluster.delete(Resources.REPLICA_SETS, idle.get(i), Deletion.of(Fields.uid(idle.get(i))));
        }
    }
}
