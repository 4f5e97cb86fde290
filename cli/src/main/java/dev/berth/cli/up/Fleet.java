package dev.berth.cli.up;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.node.NodeShape;
import dev.berth.apiserver.node.SimulatedNodes;
import dev.berth.claims.api.Group;
import dev.berth.claims.generate.WholeGpus;
import java.util.Map;

/** The simulated nodes of {@code up}, and all that an administrator would have prepared for the doors. */
public final class Fleet {
    private static final String PREFIX = "gpu-node";
    private static final Api.Resource NAMESPACES = new Api.Resource("", "v1", "namespaces");
    private static final Api.Resource POOLS = new Api.Resource(Group.NAME, "v1alpha1", "devicepools");
    private static final Api.Resource CLASSES = new Api.Resource(Group.NAME, "v1alpha1", "deviceclasses");
    private static final Api.Resource PRIORITIES = new Api.Resource("scheduling.k8s.io", "v1", "priorityclasses");
    /** As the advisor's chart has them. */
    private static final Map<String, Integer> PRIORITY_CLASSES =
            Map.of("gpu-ultra", 1000, "gpu-high", 750, "gpu-medium", 500, "gpu-default", 250);

    private final Api api;
    private final SimulatedNodes nodes;

    public Fleet(Api api, SimulatedNodes nodes) {
        this.api = api;
        this.nodes = nodes;
    }

    /** Nodes of every kind in turn; without the doors nothing but what a kubelet and NVIDIA's discovery say. */
    public void add(int count, int gpus, boolean forDoors) {
        for (int i = 0; i < count; i++) {
            var name = PREFIX + "-" + i;
            var kind = GpuKind.ALL.get(i % GpuKind.ALL.size());
            if (!forDoors) {
                nodes.add(name, NodeShape.withGpus(gpus, kind.product(), kind.memoryMib()));
            } else {
                nodes.add(name, kind.shape(name, gpus));
                if (gpus > 0) create(POOLS, kind.pool(name, gpus).json());
            }
        }
        if (forDoors) prepare();
    }

    private void prepare() {
        WholeGpus.classes(GpuKind.ALL.stream().map(GpuKind::model).toList()).forEach(each -> create(CLASSES, each));
        PRIORITY_CLASSES.forEach((name, value) -> {
            var priority = JsonNodeFactory.instance.objectNode();
            priority.put("apiVersion", "scheduling.k8s.io/v1").put("kind", "PriorityClass");
            priority.putObject("metadata").put("name", name);
            create(PRIORITIES, priority.put("value", value));
        });
        var namespace = api.get(NAMESPACES, "", "default").orElseThrow();
        namespace.withObjectProperty("metadata").withObjectProperty("labels").put(Webhooks.ADVISED, "true");
        api.update(NAMESPACES, namespace);
    }

    /** What is there already, of a former run, stays as it is. */
    private void create(Api.Resource resource, ObjectNode object) {
        if (api.get(resource, "", object.at("/metadata/name").asText()).isEmpty()) {
            api.create(resource, "", object);
        }
    }
}
