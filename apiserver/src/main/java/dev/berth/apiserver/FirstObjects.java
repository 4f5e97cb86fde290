package dev.berth.apiserver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import java.util.List;

/** What kube-apiserver puts into an empty store by itself. */
final class FirstObjects {
    private static final Api.Resource NAMESPACES = new Api.Resource("", "v1", "namespaces");
    private static final Api.Resource PRIORITY_CLASSES = new Api.Resource("scheduling.k8s.io", "v1", "priorityclasses");

    private FirstObjects() {}

    static void create(Api api) {
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) namespace(api, name);
        priorityClass(
                api,
                "system-node-critical",
                2_000_001_000,
                "Used for system critical pods that must not be moved from their current node.");
        priorityClass(
                api,
                "system-cluster-critical",
                2_000_000_000,
                "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.");
    }

    private static void namespace(Api api, String name) {
        if (api.get(NAMESPACES, "", name).isPresent()) return;
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", "Namespace").put("apiVersion", "v1");
        object.putObject("metadata").put("name", name).putObject("labels").put("kubernetes.io/metadata.name", name);
        object.putObject("spec").putArray("finalizers").add("kubernetes");
        object.putObject("status").put("phase", "Active");
        api.create(NAMESPACES, "", object);
    }

    private static void priorityClass(Api api, String name, int value, String description) {
        if (api.get(PRIORITY_CLASSES, "", name).isPresent()) return;
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", "PriorityClass").put("apiVersion", "scheduling.k8s.io/v1");
        object.putObject("metadata").put("name", name);
        object.put("value", value).put("description", description).put("preemptionPolicy", "PreemptLowerPriority");
        api.create(PRIORITY_CLASSES, "", object);
    }
}
