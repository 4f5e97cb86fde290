package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The pods of a Job, as kube-controller-manager makes them. */
final class JobPods {
    private JobPods() {}

    /** @param index negative when the job is not indexed */
    static ObjectNode of(ObjectNode job, int index) {
        ObjectNode pod = Pods.fromTemplate(job, job.path("spec").path("template"));
        ObjectNode metadata = (ObjectNode) pod.get("metadata");
        ObjectNode labels = metadata.withObjectProperty("labels");
        for (String prefix : new String[] {"", "batch.kubernetes.io/"}) {
            labels.put(prefix + "controller-uid", Fields.uid(job));
            labels.put(prefix + "job-name", Fields.name(job));
        }
        metadata.withArrayProperty("finalizers").add(Jobs.FINALIZER);
        if (index < 0) return pod;
        String number = Integer.toString(index);
        metadata.put("generateName", Fields.name(job) + "-" + number + "-");
        metadata.withObjectProperty("annotations").put(JobTally.INDEX, number);
        labels.put(JobTally.INDEX, number);
        ObjectNode spec = (ObjectNode) pod.get("spec");
        spec.put("hostname", Fields.name(job) + "-" + number);
        for (String list : new String[] {"initContainers", "containers"}) {
            for (JsonNode container : spec.path(list)) addIndex((ObjectNode) container);
        }
        return pod;
    }

    private static void addIndex(ObjectNode container) {
        ArrayNode environment = container.withArrayProperty("env");
        for (JsonNode each : environment) if (each.path("name").asText().equals("JOB_COMPLETION_INDEX")) return;
        environment
                .addObject()
                .put("name", "JOB_COMPLETION_INDEX")
                .putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "metadata.labels['" + JobTally.INDEX + "']");
    }
}
