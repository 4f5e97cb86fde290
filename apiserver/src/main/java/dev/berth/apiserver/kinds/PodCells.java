package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** The row of a pod, whose status is the sum of what its containers say. */
final class PodCells {
    private final Row row;
    private final JsonNode status;
    private final Set<String> sidecars = new HashSet<>();
    private String reason;
    private int ready;
    private long restarts;
    private String lastRestart = "";

    private PodCells(Row row) {
        this.row = row;
        this.status = row.object().path("status");
        this.reason = row.at("/status/reason", row.at("/status/phase"));
    }

    static void fill(Row row) {
        new PodCells(row).fill();
    }

    private void fill() {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("reason").asText().equals("SchedulingGated")) reason = "SchedulingGated";
        }
        int total = row.object().at("/spec/containers").size();
        for (JsonNode container : row.object().at("/spec/initContainers")) {
            if (!container.path("restartPolicy").asText().equals("Always")) continue;
            sidecars.add(container.path("name").asText());
            total++;
        }
        boolean initializing = initContainers();
        if (!initializing || isTrue("Initialized")) containers();
        readDeletion();
        row.name()
                .add(ready + "/" + total)
                .add(reason)
                .add(
                        restarts != 0 && !lastRestart.isEmpty()
                                ? "%d (%s ago)".formatted(restarts, HumanDuration.since(lastRestart, row.now()))
                                : Long.toString(restarts))
                .age()
                .text("/status/podIPs/0/ip", Row.NONE)
                .text("/spec/nodeName", Row.NONE)
                .text("/status/nominatedNodeName", Row.NONE)
                .add(readinessGates());
    }

    private boolean initContainers() {
        JsonNode statuses = status.path("initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode container = statuses.get(i);
            countRestarts(container);
            JsonNode state = container.path("state");
            JsonNode terminated = state.path("terminated");
            if (terminated.isObject() && terminated.path("exitCode").asInt() == 0) continue;
            if (sidecars.contains(container.path("name").asText())
                    && container.path("started").asBoolean()) {
                if (container.path("ready").asBoolean()) ready++;
                continue;
            }
            String waiting = state.path("waiting").path("reason").asText();
            if (terminated.isObject()) {
                reason = "Init:" + ended(terminated);
            } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
                reason = "Init:" + waiting;
            } else {
                reason = "Init:%d/%d"
                        .formatted(i, row.object().at("/spec/initContainers").size());
            }
            return true;
        }
        return false;
    }

    private void containers() {
        restarts = 0;
        lastRestart = "";
        for (JsonNode container : status.path("initContainerStatuses")) {
            if (sidecars.contains(container.path("name").asText())) countRestarts(container);
        }
        boolean running = false;
        String error = "";
        JsonNode statuses = status.path("containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode container = statuses.get(i);
            countRestarts(container);
            JsonNode state = container.path("state");
            String waiting = state.path("waiting").path("reason").asText();
            JsonNode terminated = state.path("terminated");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated.isObject()) {
                reason = ended(terminated);
                if (terminated.path("exitCode").asInt() != 0) error = reason;
            } else if (container.path("ready").asBoolean() && state.has("running")) {
                running = true;
                ready++;
            }
        }
        if (!reason.equals("Completed")) return;
        if (running && isTrue("Ready")) {
            reason = "Running";
        } else if (!error.isEmpty()) {
            reason = error;
        } else if (running) {
            reason = "NotReady";
        }
    }

    private void readDeletion() {
        if (!row.isDeleted()) return;
        String phase = status.path("phase").asText();
        if (status.path("reason").asText().equals("NodeLost")) {
            reason = "Unknown";
        } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
            reason = "Terminating";
        }
    }

    private static String ended(JsonNode terminated) {
        String reason = terminated.path("reason").asText();
        if (!reason.isEmpty()) return reason;
        int signal = terminated.path("signal").asInt();
        return signal != 0
                ? "Signal:" + signal
                : "ExitCode:" + terminated.path("exitCode").asInt();
    }

    private void countRestarts(JsonNode container) {
        restarts += container.path("restartCount").asLong();
        String finished = container.at("/lastState/terminated/finishedAt").asText();
        if (finished.compareTo(lastRestart) > 0) lastRestart = finished;
    }

    private boolean isTrue(String condition) {
        for (JsonNode each : status.path("conditions")) {
            if (each.path("type").asText().equals(condition))
                return each.path("status").asText().equals("True");
        }
        return false;
    }

    private String readinessGates() {
        JsonNode gates = row.object().at("/spec/readinessGates");
        if (gates.isEmpty()) return Row.NONE;
        int open = 0;
        for (JsonNode gate : gates) {
            if (isTrue(gate.path("conditionType").asText())) open++;
        }
        return open + "/" + gates.size();
    }
}
