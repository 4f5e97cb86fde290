package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns a node's conditions into taints: what is not ready or short of something takes no pods. */
final class NodeLifecycle implements Controller {
    private static final Map<String, String> SHORTAGES = Map.of(
            "MemoryPressure", "node.kubernetes.io/memory-pressure",
            "DiskPressure", "node.kubernetes.io/disk-pressure",
            "PIDPressure", "node.kubernetes.io/pid-pressure",
            "NetworkUnavailable", "node.kubernetes.io/network-unavailable");
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
    private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror nodes;

    NodeLifecycle(Cluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.mirror(Resources.NODES);
        nodes.follow(Owners.self(queue));
    }

    @Override
    public String name() {
        return "node-lifecycle-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode node = nodes.get(key).orElse(null);
        if (node != null && retaint(node.deepCopy())) cluster.modify(Resources.NODES, node, this::retaint);
        return Optional.empty();
    }

    /** True when the taints had to be changed. */
    private boolean retaint(ObjectNode node) {
        List<String> wanted = wanted(node);
        ArrayNode taints = JsonNodeFactory.instance.arrayNode();
        boolean changed = false;
        for (JsonNode taint : node.path("spec").path("taints")) {
            if (!ours(taint) || wanted.remove(taint.path("key").asText())) taints.add(taint);
            else changed = true;
        }
        for (String key : wanted) {
            taints.addObject().put("key", key).put("effect", "NoSchedule").put("timeAdded", Fields.time(cluster.now()));
            changed = true;
        }
        if (!changed) return false;
        ObjectNode spec = node.withObjectProperty("spec");
        if (taints.isEmpty()) spec.remove("taints");
        else spec.set("taints", taints);
        return true;
    }

    private static boolean ours(JsonNode taint) {
        String key = taint.path("key").asText();
        boolean known = SHORTAGES.containsValue(key)
                || key.equals(NOT_READY)
                || key.equals(UNREACHABLE)
                || key.equals(UNSCHEDULABLE);
        return known && taint.path("effect").asText().equals("NoSchedule");
    }

    private static List<String> wanted(JsonNode node) {
        List<String> wanted = new ArrayList<>();
        switch (Fields.condition(node, "Ready").path("status").asText("Unknown")) {
            case "True" -> {}
            case "False" -> wanted.add(NOT_READY);
            // Nothing said yet is not the same as lost: a node that is just created keeps the taint it came with.
            default -> wanted.add(Fields.condition(node, "Ready").isMissingNode() ? NOT_READY : UNREACHABLE);
        }
        SHORTAGES.forEach((type, taint) -> {
            if (Fields.holds(node, type)) wanted.add(taint);
        });
        if (node.path("spec").path("unschedulable").asBoolean()) wanted.add(UNSCHEDULABLE);
        return wanted;
    }
}
