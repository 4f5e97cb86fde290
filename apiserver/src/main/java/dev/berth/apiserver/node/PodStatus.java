package dev.berth.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** The status of a pod on a simulated node, as a kubelet would write it. */
final class PodStatus {
    private PodStatus() {}

    /** Every container runs. */
    static void running(ObjectNode pod, String hostAddress, String podAddress, Instant now) {
        ObjectNode status = pod.withObjectProperty("status");
        String time = NodeObjects.seconds(now);
        status.put("phase", "Running");
        status.put("hostIP", hostAddress);
        status.putArray("hostIPs").addObject().put("ip", hostAddress);
        boolean hostNetwork = pod.path("spec").path("hostNetwork").asBoolean();
        String address = hostNetwork ? hostAddress : podAddress;
        status.put("podIP", address);
        status.putArray("podIPs").addObject().put("ip", address);
        status.put("startTime", time);
        status.put("observedGeneration", pod.path("metadata").path("generation").asLong(1));
        condition(status, "PodReadyToStartContainers", "True", "", time);
        condition(status, "Initialized", "True", "", time);
        condition(status, "Ready", "True", "", time);
        condition(status, "ContainersReady", "True", "", time);
        // A pod that came with its node was bound by nobody: its kubelet says that it is scheduled.
        condition(status, "PodScheduled", "True", "", time);
        containers(pod, "initContainers", "initContainerStatuses", now, PodStatus::completed);
        containers(pod, "containers", "containerStatuses", now, (state, _, at) -> {
            state.putObject("running").put("startedAt", NodeObjects.seconds(at));
            return true;
        });
    }

    /** Every container has ended. */
    static void finished(ObjectNode pod, boolean failed, Instant now) {
        ObjectNode status = pod.withObjectProperty("status");
        String time = NodeObjects.seconds(now);
        status.put("phase", failed ? "Failed" : "Succeeded");
        String reason = failed ? "PodFailed" : "PodCompleted";
        condition(status, "PodReadyToStartContainers", "False", "", time);
        condition(status, "Initialized", "True", failed ? "" : reason, time);
        condition(status, "Ready", "False", reason, time);
        condition(status, "ContainersReady", "False", reason, time);
        String started = status.path("startTime").asText(time);
        containers(pod, "containers", "containerStatuses", now, (state, name, at) -> {
            state.putObject("terminated")
                    .put("exitCode", failed ? 1 : 0)
                    .put("reason", failed ? "Error" : "Completed")
                    .put("startedAt", started)
                    .put("finishedAt", NodeObjects.seconds(at))
                    .put("containerID", "berth://" + name);
            return false;
        });
    }

    private static boolean completed(ObjectNode state, String name, Instant now) {
        state.putObject("terminated")
                .put("exitCode", 0)
                .put("reason", "Completed")
                .put("startedAt", NodeObjects.seconds(now))
                .put("finishedAt", NodeObjects.seconds(now))
                .put("containerID", "berth://" + name);
        return true;
    }

    private interface State {
        /** Fills in the state and tells whether the container is ready. */
        boolean of(ObjectNode state, String name, Instant now);
    }

    private static void containers(ObjectNode pod, String from, String to, Instant now, State state) {
        if (pod.path("spec").path(from).isEmpty()) return;
        ArrayNode statuses = JsonNodeFactory.instance.arrayNode();
        for (JsonNode container : pod.path("spec").path(from)) {
            String name = container.path("name").asText();
            ObjectNode one = statuses.addObject();
            one.put("name", name);
            boolean ready = state.of(one.putObject("state"), name, now);
            one.putObject("lastState");
            one.put("ready", ready).put("restartCount", 0);
            one.put("image", container.path("image").asText()).put("imageID", "");
            one.put("containerID", "berth://" + name);
            one.put("started", one.path("state").has("running"));
        }
        pod.withObjectProperty("status").set(to, statuses);
    }

    private static void condition(ObjectNode status, String type, String value, String reason, String time) {
        ArrayNode conditions = status.withArrayProperty("conditions");
        for (JsonNode each : conditions) {
            if (!each.path("type").asText().equals(type)) continue;
            ObjectNode known = (ObjectNode) each;
            if (!known.path("status").asText().equals(value)) known.put("lastTransitionTime", time);
            known.put("status", value);
            if (reason.isEmpty()) known.remove("reason");
            else known.put("reason", reason);
            return;
        }
        ObjectNode added = conditions.addObject().put("type", type).put("status", value);
        added.putNull("lastProbeTime").put("lastTransitionTime", time);
        if (!reason.isEmpty()) added.put("reason", reason);
    }
}
