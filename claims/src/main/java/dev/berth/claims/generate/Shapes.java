package dev.berth.claims.generate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.DevicePool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The shapes of machines there are, by name, and the pools of a number of such machines. */
public final class Shapes {
    private static final int ALL_GPUS = 8;

    private Shapes() {}

    /** What is asked for: a number of machines of one shape, or of all shapes in turn. */
    public record Order(String shape, int nodes, OptionalInt gpus, long seed) {}

    /** A machine: the prefix of its node's name, and how its pool is made. */
    private record Shape(String nodePrefix, int gpus, Maker maker) {}

    @FunctionalInterface
    private interface Maker {
        List<DevicePool> pools(String node, int gpus, long seed);
    }

    private static final Map<String, Shape> SHAPES = new TreeMap<>();
    private static final String MIXED = "mixed";
    private static final List<String> MIXTURE =
            List.of("dgxh100", "dgxa100", "l4-pool", "foozer-4000-medium", "dgxb200");

    static {
        for (String model : List.of("foozer-1000", "foozer-4000")) {
            foozers(model, "tiny", 2, 2);
            foozers(model, "small", 4, 4);
            foozers(model, "medium", 8, 4);
            foozers(model, "large", 16, 4);
        }
        SHAPES.put(
                "dgxa100",
                new Shape(
                        "nvidia",
                        1,
                        (node, gpus, seed) ->
                                new GpuPool(node, "dgxa100", GpuModel.A100, gpus, seed, gpus > 1, gpus > 1).pools()));
        SHAPES.put(
                "dgxh100",
                new Shape(
                        "dgxh100",
                        ALL_GPUS,
                        (node, gpus, seed) ->
                                new GpuPool(node, "dgxh100", GpuModel.H100, gpus, seed, true, true).pools()));
        SHAPES.put(
                "dgxb200",
                new Shape(
                        "dgxb200",
                        ALL_GPUS,
                        (node, gpus, seed) ->
                                new GpuPool(node, "dgxb200", GpuModel.B200, gpus, seed, true, true).pools()));
        SHAPES.put(
                "l4-pool",
                new Shape(
                        "l4",
                        4,
                        (node, gpus, seed) -> new GpuPool(node, "l4", GpuModel.L4, gpus, seed, true, false).pools()));
    }

    private static void foozers(String model, String size, int devices, int perNuma) {
        String name = model + "-" + size;
        SHAPES.put(
                name,
                new Shape(
                        name,
                        devices,
                        (node, gpus, seed) -> List.of(new FoozerPool(node, model, gpus, perNuma).pool())));
    }

    /** In alphabetical order. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(SHAPES.keySet());
        names.add(MIXED);
        names.sort(null);
        return names;
    }

    /**
     * One pool a node; the same ones for the same order.
     *
     * @throws IllegalArgumentException with the names there are, for a name that no shape has
     */
    public static List<DevicePool> pools(Order order) {
        if (!names().contains(order.shape())) {
            throw new IllegalArgumentException(
                    "no shape is called '%s'; there are: %s".formatted(order.shape(), String.join(", ", names())));
        }
        List<DevicePool> pools = new ArrayList<>();
        for (int i = 0; i < order.nodes(); i++) {
            String name = order.shape().equals(MIXED) ? MIXTURE.get(i % MIXTURE.size()) : order.shape();
            var shape = SHAPES.get(name);
            if (shape == null) {
                throw new IllegalStateException("a mixture of unknown shapes: " + name);
            }
            String prefix = order.shape().equals(MIXED) ? MIXED : shape.nodePrefix();
            // In a mixture every machine is complete.
            int gpus = order.gpus()
                    .orElse(order.shape().equals(MIXED) && name.equals("dgxa100") ? ALL_GPUS : shape.gpus());
            pools.addAll(shape.maker().pools("%s-%02d".formatted(prefix, i), gpus, order.seed()));
        }
        return List.copyOf(pools);
    }

    /** The nodes that pools are on, large enough for any pod. */
    public static List<ObjectNode> nodes(List<DevicePool> pools) {
        return pools.stream()
                .flatMap(pool -> pool.nodeName().stream())
                .distinct()
                .map(Shapes::node)
                .toList();
    }

    private static ObjectNode node(String name) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", "v1").put("kind", "Node");
        node.putObject("metadata")
                .put("name", name)
                .putObject("labels")
                .put("kubernetes.io/arch", "amd64")
                .put("kubernetes.io/hostname", name)
                .put("kubernetes.io/os", "linux");
        var status = node.putObject("status");
        for (String list : List.of("capacity", "allocatable")) {
            status.putObject(list).put("cpu", "128").put("memory", "1Ti").put("pods", "110");
        }
        status.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("reason", "Generated")
                .put("message", "made by berth generate")
                .put("lastHeartbeatTime", "2026-01-01T00:00:00Z")
                .put("lastTransitionTime", "2026-01-01T00:00:00Z");
        return node;
    }
}
