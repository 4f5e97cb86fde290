package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.LabelSelector;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs the pods of a Job until enough of them succeeded or too many failed. */
final class Jobs implements Controller {
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";
    private static final int BURST = 500;

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror jobs;
    private final Mirror pods;

    Jobs(Cluster cluster) {
        this.cluster = cluster;
        this.jobs = cluster.mirror(Resources.JOBS);
        this.pods = cluster.mirror(Resources.PODS);
        jobs.follow(Owners.self(queue));
        pods.follow(Owners.ofKind("Job", "batch", queue));
        // A pod must not stay for ever because the job that counts it is gone.
        pods.follow((_, pod) -> {
            if (pod != null && Fields.deleting(pod) && Fields.hasFinalizer(pod, FINALIZER)) {
                JsonNode owner = Fields.controller(pod);
                queue.add(new Key(Fields.namespace(pod), owner.path("name").asText()));
            }
        });
    }

    @Override
    public String name() {
        return "job-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode job = jobs.get(key).orElse(null);
        if (job == null) {
            releaseLeftOver(key);
            return Optional.empty();
        }
        if (finished(job)) {
            owned(job).forEach(this::release);
            closeTally(job);
            return expire(job);
        }
        if (Fields.deleting(job)) {
            owned(job).forEach(this::release);
            return Optional.empty();
        }
        var tally = new JobTally(job, owned(job));
        ObjectNode status = tally.status();
        boolean suspended = job.path("spec").path("suspend").asBoolean();
        if (!suspended && !status.hasNonNull("startTime")) status.put("startTime", Fields.time(cluster.now()));
        if (suspended) status.remove("startTime");
        Verdict verdict = verdict(job, tally, status);
        List<ObjectNode> active = tally.active();
        if (verdict != null || suspended) {
            active.forEach(this::delete);
            active = List.of();
        } else {
            active = adjust(job, tally, active);
        }
        suspension(status, suspended);
        if (active.isEmpty()) status.remove("active");
        else status.put("active", active.size());
        status.put("ready", (int) active.stream().filter(Pods::ready).count());
        status.put("terminating", (int) owned(job).stream()
                .filter(pod -> Fields.deleting(pod) && !Pods.finished(pod))
                .count());
        if (verdict != null) verdict.write(status, cluster.now());
        Statuses.write(cluster, Resources.JOBS, job, status);
        tally.counted().forEach(this::release);
        return deadline(job, status);
    }

    /** How a job ended. */
    private record Verdict(String first, String last, String reason, String message) {
        void write(ObjectNode status, Instant now) {
            for (String type : List.of(first, last)) {
                if (Conditions.set(status, type, "True", reason, message, now)) {
                    ObjectNode written = Conditions.find(status, type);
                    if (written != null) written.put("lastProbeTime", Fields.time(now));
                }
            }
            if (last.equals("Complete")) status.put("completionTime", Fields.time(now));
        }
    }

    private @Nullable Verdict verdict(ObjectNode job, JobTally tally, ObjectNode status) {
        if (tally.failed() > job.path("spec").path("backoffLimit").asInt(6)) {
            return new Verdict(
                    "FailureTarget", "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
        }
        if (overdue(job, status)) {
            return new Verdict(
                    "FailureTarget", "Failed", "DeadlineExceeded", "Job was active longer than specified deadline");
        }
        if (!tally.complete()) return null;
        return new Verdict(
                "SuccessCriteriaMet", "Complete", "CompletionsReached", "Reached expected number of succeeded pods");
    }

    private boolean overdue(JsonNode job, JsonNode status) {
        JsonNode limit = job.path("spec").path("activeDeadlineSeconds");
        if (!limit.isNumber() || !status.hasNonNull("startTime")) return false;
        return !Fields.instant(status.path("startTime"))
                .plusSeconds(limit.asLong())
                .isAfter(cluster.now());
    }

    private Optional<Duration> deadline(JsonNode job, JsonNode status) {
        JsonNode limit = job.path("spec").path("activeDeadlineSeconds");
        if (!limit.isNumber() || !status.hasNonNull("startTime") || status.hasNonNull("completionTime")) {
            return Optional.empty();
        }
        Instant end = Fields.instant(status.path("startTime")).plusSeconds(limit.asLong());
        return Optional.of(Duration.between(cluster.now(), end)).filter(Duration::isPositive);
    }

    private void suspension(ObjectNode status, boolean suspended) {
        boolean known = Conditions.find(status, "Suspended") != null;
        if (suspended) Conditions.set(status, "Suspended", "True", "JobSuspended", "Job suspended", cluster.now());
        else if (known) Conditions.set(status, "Suspended", "False", "JobResumed", "Job resumed", cluster.now());
    }

    private List<ObjectNode> adjust(ObjectNode job, JobTally tally, List<ObjectNode> active) {
        int wanted = tally.wantedActive();
        List<ObjectNode> left = new ArrayList<>(active);
        if (active.size() > wanted) {
            active.stream()
                    .sorted(Pods.FIRST_TO_GO)
                    .limit(active.size() - wanted)
                    .forEach(pod -> {
                        delete(pod);
                        left.remove(pod);
                    });
            return left;
        }
        int missing = Math.min(BURST, wanted - active.size() - tally.terminating());
        if (tally.indexed()) {
            for (int index : tally.freeIndexes(missing)) left.add(create(job, index));
        } else {
            for (int i = 0; i < missing; i++) left.add(create(job, -1));
        }
        if (missing == BURST) queue.add(Key.of(job));
        return left;
    }

    private ObjectNode create(ObjectNode job, int index) {
        ObjectNode pod = JobPods.of(job, index);
        return cluster.create(Resources.PODS, Fields.namespace(job), pod);
    }

    private void delete(ObjectNode pod) {
        cluster.delete(Resources.PODS, pod, Deletion.of(Fields.uid(pod)));
    }

    private void release(ObjectNode pod) {
        if (!Fields.hasFinalizer(pod, FINALIZER)) return;
        cluster.modify(Resources.PODS, pod, live -> Fields.removeFinalizer(live, FINALIZER));
    }

    /** With the last finalizer gone, nothing can be counted twice any more. */
    private void closeTally(ObjectNode job) {
        ObjectNode status = job.path("status").deepCopy();
        if (status.path("uncountedTerminatedPods").isEmpty()) return;
        status.putObject("uncountedTerminatedPods");
        Statuses.write(cluster, Resources.JOBS, job, status);
    }

    private void releaseLeftOver(Key job) {
        for (ObjectNode pod : pods.all()) {
            if (!Fields.namespace(pod).equals(job.namespace()) || !Fields.hasFinalizer(pod, FINALIZER)) continue;
            if (Fields.label(pod, "batch.kubernetes.io/job-name").equals(job.name())) release(pod);
        }
    }

    private List<ObjectNode> owned(ObjectNode job) {
        var selector = LabelSelector.of(job.path("spec").path("selector"));
        return pods.controlledBy(Fields.uid(job)).stream()
                .filter(selector::matches)
                .toList();
    }

    static boolean finished(JsonNode job) {
        return Fields.holds(job, "Complete") || Fields.holds(job, "Failed");
    }

    /** Deletes the job when it has been over for as long as it asked to be kept. */
    private Optional<Duration> expire(ObjectNode job) {
        JsonNode ttl = job.path("spec").path("ttlSecondsAfterFinished");
        if (!ttl.isNumber() || Fields.deleting(job)) return Optional.empty();
        Set<Instant> ends = new HashSet<>();
        for (String type : List.of("Complete", "Failed")) {
            JsonNode condition = Fields.condition(job, type);
            if (!condition.isMissingNode()) ends.add(Fields.instant(condition.path("lastTransitionTime")));
        }
        Instant end = ends.stream().min(Instant::compareTo).orElseThrow().plusSeconds(ttl.asLong());
        Duration left = Duration.between(cluster.now(), end);
        if (left.isPositive()) return Optional.of(left);
        cluster.delete(Resources.JOBS, job, Deletion.of(Fields.uid(job)).propagating("Foreground"));
        return Optional.empty();
    }
}
