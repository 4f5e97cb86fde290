package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;

/** The rows of what makes pods. */
final class WorkloadCells {
    private WorkloadCells() {}

    static void deployment(Row row) {
        row.name()
                .add(ready(row))
                .number("/status/updatedReplicas")
                .number("/status/availableReplicas")
                .age()
                .containers("/spec/template/spec")
                .selector("/spec/selector");
    }

    static void replicaSet(Row row) {
        replicas(row).selector("/spec/selector");
    }

    static void replicationController(Row row) {
        replicas(row).labels("/spec/selector");
    }

    private static Row replicas(Row row) {
        return row.name()
                .number("/spec/replicas")
                .number("/status/replicas")
                .number("/status/readyReplicas")
                .age()
                .containers("/spec/template/spec");
    }

    static void statefulSet(Row row) {
        row.name().add(ready(row)).age().containers("/spec/template/spec");
    }

    private static String ready(Row row) {
        return row.object().at("/status/readyReplicas").asLong() + "/"
                + row.object().at("/spec/replicas").asLong();
    }

    static void daemonSet(Row row) {
        row.name()
                .number("/status/desiredNumberScheduled")
                .number("/status/currentNumberScheduled")
                .number("/status/numberReady")
                .number("/status/updatedNumberScheduled")
                .number("/status/numberAvailable")
                .labels("/spec/template/spec/nodeSelector")
                .age()
                .containers("/spec/template/spec")
                .selector("/spec/selector");
    }

    static void cronJob(Row row) {
        String last = row.at("/status/lastScheduleTime");
        row.name()
                .text("/spec/schedule")
                .text("/spec/timeZone", Row.NONE)
                .add(row.object().at("/spec/suspend").asBoolean() ? "True" : "False")
                .count("/status/active")
                .add(last.isEmpty() ? Row.NONE : HumanDuration.since(last, row.now()))
                .age()
                .containers("/spec/jobTemplate/spec/template/spec")
                .selector("/spec/jobTemplate/spec/selector");
    }

    static void job(Row row) {
        row.name()
                .add(jobStatus(row))
                .add(completions(row))
                .add(jobDuration(row))
                .age()
                .containers("/spec/template/spec")
                .selector("/spec/selector");
    }

    private static String jobStatus(Row row) {
        for (String condition : List.of("Complete", "Failed")) {
            if (hasCondition(row, condition)) return condition;
        }
        if (row.isDeleted()) return "Terminating";
        for (String condition : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (hasCondition(row, condition)) return condition;
        }
        return "Running";
    }

    private static boolean hasCondition(Row row, String type) {
        for (JsonNode condition : row.object().at("/status/conditions")) {
            if (condition.path("type").asText().equals(type))
                return condition.path("status").asText().equals("True");
        }
        return false;
    }

    private static String completions(Row row) {
        long succeeded = row.object().at("/status/succeeded").asLong();
        JsonNode completions = row.object().at("/spec/completions");
        if (completions.isNumber()) return succeeded + "/" + completions.asLong();
        long parallelism = row.object().at("/spec/parallelism").asLong();
        return parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
    }

    private static String jobDuration(Row row) {
        String start = row.at("/status/startTime");
        String end = row.at("/status/completionTime");
        if (start.isEmpty()) return "";
        if (end.isEmpty()) return HumanDuration.since(start, row.now());
        return HumanDuration.of(Duration.between(OffsetDateTime.parse(start), OffsetDateTime.parse(end)));
    }
}
