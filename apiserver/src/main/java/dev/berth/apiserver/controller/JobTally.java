package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Counts a Job's pods. What has been counted is in the Job's status and its pod has lost the tracking finalizer; what
 * has the finalizer still and is over is counted now. So that a pod is counted once even if the controller dies between
 * the two, its uid stands in {@code uncountedTerminatedPods} until the finalizer is seen to be gone.
 */
final class JobTally {
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private final ObjectNode job;
    private final List<ObjectNode> pods;
    private final List<ObjectNode> counted = new ArrayList<>();
    private final BitSet indexes = new BitSet();
    private final List<String> uncountedSucceeded = new ArrayList<>();
    private final List<String> uncountedFailed = new ArrayList<>();
    private int succeeded;
    private int failed;

    JobTally(ObjectNode job, List<ObjectNode> pods) {
        this.job = job;
        this.pods = pods;
        JsonNode status = job.path("status");
        succeeded = status.path("succeeded").asInt();
        failed = status.path("failed").asInt();
        if (indexed()) parse(status.path("completedIndexes").asText(""));
        List<String> known = new ArrayList<>();
        for (String list : List.of("succeeded", "failed")) {
            for (JsonNode uid : status.path("uncountedTerminatedPods").path(list)) known.add(uid.asText());
        }
        for (ObjectNode pod : pods) count(pod, known);
    }

    private void count(ObjectNode pod, List<String> known) {
        if (!Fields.hasFinalizer(pod, Jobs.FINALIZER)) return;
        boolean success = Pods.phase(pod).equals("Succeeded");
        boolean failure = Pods.phase(pod).equals("Failed") || (Fields.deleting(pod) && !success && gone(pod));
        if (!success && !failure) return;
        counted.add(pod);
        (success ? uncountedSucceeded : uncountedFailed).add(Fields.uid(pod));
        if (known.contains(Fields.uid(pod))) return;
        if (failure) failed++;
        else if (!indexed()) succeeded++;
        else index(pod);
    }

    /** Deleted, and nobody runs it: only the finalizer keeps it. */
    private static boolean gone(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText("").isEmpty()
                || pod.path("metadata").path("deletionGracePeriodSeconds").asLong(1) == 0;
    }

    private void index(ObjectNode pod) {
        int index = indexOf(pod);
        int completions = job.path("spec").path("completions").asInt();
        if (index >= 0 && index < completions) indexes.set(index);
    }

    private static int indexOf(JsonNode pod) {
        String index = Fields.annotation(pod, INDEX);
        return index.isEmpty() ? -1 : Integer.parseInt(index);
    }

    boolean indexed() {
        return job.path("spec").path("completionMode").asText().equals("Indexed");
    }

    int succeeded() {
        return indexed() ? indexes.cardinality() : succeeded;
    }

    int failed() {
        return failed;
    }

    /** Whose finalizer may go once the status is written. */
    List<ObjectNode> counted() {
        return counted;
    }

    List<ObjectNode> active() {
        return pods.stream().filter(Pods::active).toList();
    }

    int terminating() {
        boolean waits = job.path("spec").path("podReplacementPolicy").asText().equals("Failed");
        return waits
                ? (int) pods.stream()
                        .filter(pod -> Fields.deleting(pod) && !Pods.finished(pod))
                        .count()
                : 0;
    }

    boolean complete() {
        JsonNode completions = job.path("spec").path("completions");
        if (completions.isNumber()) return succeeded() >= completions.asInt();
        // A work queue: one success says that the queue is empty, and the others may finish.
        return succeeded() > 0 && active().isEmpty();
    }

    int wantedActive() {
        int parallelism = job.path("spec").path("parallelism").asInt(1);
        JsonNode completions = job.path("spec").path("completions");
        if (completions.isNumber()) return Math.min(parallelism, completions.asInt() - succeeded());
        return succeeded() > 0 ? Math.min(parallelism, active().size()) : parallelism;
    }

    List<Integer> freeIndexes(int most) {
        BitSet taken = (BitSet) indexes.clone();
        for (ObjectNode pod : active()) if (indexOf(pod) >= 0) taken.set(indexOf(pod));
        List<Integer> free = new ArrayList<>();
        int completions = job.path("spec").path("completions").asInt();
        for (int i = taken.nextClearBit(0); i < completions && free.size() < most; i = taken.nextClearBit(i + 1)) {
            free.add(i);
        }
        return free;
    }

    /** The job's status with the counts brought up to date. */
    ObjectNode status() {
        ObjectNode status = job.path("status").isObject() ? job.path("status").deepCopy() : job.objectNode();
        number(status, "succeeded", succeeded());
        number(status, "failed", failed);
        if (indexed() && !indexes.isEmpty()) status.put("completedIndexes", format());
        ObjectNode uncounted = status.putObject("uncountedTerminatedPods");
        if (!uncountedSucceeded.isEmpty()) uncountedSucceeded.forEach(uncounted.putArray("succeeded")::add);
        if (!uncountedFailed.isEmpty()) uncountedFailed.forEach(uncounted.putArray("failed")::add);
        return status;
    }

    private static void number(ObjectNode status, String field, int value) {
        if (value > 0) status.put(field, value);
    }

    private void parse(String text) {
        for (String part : text.split(",")) {
            if (part.isBlank()) continue;
            int dash = part.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
            indexes.set(from, to + 1);
        }
    }

    /** Runs of three and more are written with a dash. */
    private String format() {
        List<String> parts = new ArrayList<>();
        for (int from = indexes.nextSetBit(0); from >= 0; ) {
            int end = indexes.nextClearBit(from);
            if (end - from == 1) parts.add(Integer.toString(from));
            else if (end - from == 2) parts.add(from + "," + (from + 1));
            else parts.add(from + "-" + (end - 1));
            from = indexes.nextSetBit(end);
        }
        return String.join(",", parts);
    }
}
