package dev.berth.console;

import dev.berth.core.Door;
import dev.berth.kube.explain.NodeReport;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The whole cluster in a few numbers, as the board last saw it. No pod and no node has a label here: there is no end to
 * them.
 *
 * @param gpus how many there are by model and state
 * @param held of how many each door has given something out, by model
 * @param waiting how many pods wait for a node
 * @param reasons what the doors say to those that wait, and to how many
 */
record Figures(Map<Key, Integer> gpus, Map<Key, Integer> held, int waiting, Map<Key, Integer> reasons) {
    static final Figures NONE = new Figures(Map.of(), Map.of(), 0, Map.of());

    /** The values of a figure's two labels. */
    record Key(String first, String second) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = first.compareTo(other.first);
            return order != 0 ? order : second.compareTo(other.second);
        }
    }

    static Figures of(Collection<NodeReport> nodes, int waiting, Map<Key, Integer> reasons) {
        Map<Key, Integer> gpus = new TreeMap<>();
        Map<Key, Integer> held = new TreeMap<>();
        for (var node : nodes) {
            var byNumber = node.byNumber();
            for (var cell : node.cells()) {
                if (byNumber.contains(cell)) {
                    gpus.merge(new Key(cell.model(), "held"), 1, Integer::sum);
                    held.merge(new Key(cell.model(), Door.OUTSIDE.label()), 1, Integer::sum);
                    continue;
                }
                gpus.merge(new Key(cell.model(), state(node, cell)), 1, Integer::sum);
                cell.entries().stream()
                        .map(entry -> entry.holder().door().label())
                        .distinct()
                        .forEach(door -> held.merge(new Key(cell.model(), door), 1, Integer::sum));
            }
        }
        return new Figures(gpus, held, waiting, reasons);
    }

    private static String state(NodeReport node, NodeReport.Cell cell) {
        if (cell.free()) {
            return node.state().equals("ready") ? "free" : "closed";
        }
        return cell.held() < 1 ? "shared" : "held";
    }

    static void register(PrometheusRegistry registry, Supplier<Figures> newest) {
        gauge(
                registry,
                "berth_cluster_gpus",
                "GPUs of the cluster, by model and state: free, shared (held in part), held, or closed (free on a node that is cordoned or not ready).",
                () -> newest.get().gpus(),
                "model",
                "state");
        gauge(
                registry,
                "berth_cluster_held_gpus",
                "GPUs of which a door has given something out, by model and door; outside are pods that none of the doors placed.",
                () -> newest.get().held(),
                "model",
                "door");
        GaugeWithCallback.builder()
                .name("berth_cluster_waiting_pods")
                .help("Pods of the cluster that want GPUs and wait for a node.")
                .callback(callback -> callback.call(newest.get().waiting()))
                .register(registry);
        gauge(
                registry,
                "berth_cluster_waiting_reasons",
                "What each door says to the pods that wait, by what is wrong with the nearest node: taken, quota, node (cordoned, tainted, too little of something), unsuited, unusable (no node could help), no_node, or fits (about to be placed). The 500 that wait longest are asked.",
                () -> newest.get().reasons(),
                "door",
                "reason");
    }

    private static void gauge(
            PrometheusRegistry registry,
            String name,
            String help,
            Supplier<Map<Key, Integer>> values,
            String first,
            String second) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(first, second)
                .callback(callback ->
                        values.get().forEach((key, count) -> callback.call(count, key.first(), key.second())))
                .register(registry);
    }
}
