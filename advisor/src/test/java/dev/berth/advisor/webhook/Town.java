package dev.berth.advisor.webhook;

import dev.berth.advisor.cluster.GpuTypes;
import dev.berth.advisor.cluster.Surroundings;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Surroundings that a test furnishes: no labelled nodes, the four priority classes. */
final class Town implements Surroundings {
    final List<io.fabric8.kubernetes.api.model.Node> nodes = new ArrayList<>();
    final List<String> running = new ArrayList<>();
    final Set<String> classes = new HashSet<>(Set.of("gpu-ultra", "gpu-high", "gpu-medium", "gpu-default"));
    String defaultClass = "";
    Optional<String> problem = Optional.empty();

    void node(String name, Map<String, String> labels) {
        nodes.add(new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build());
    }

    @Override
    public GpuTypes gpuTypes() {
        return GpuTypes.of(nodes);
    }

    @Override
    public List<String> runningJobs() {
        return running;
    }

    @Override
    public boolean hasPriorityClass(String name) {
        return classes.contains(name);
    }

    @Override
    public boolean isDefaultPriorityClass(String name) {
        return name.equals(defaultClass);
    }

    @Override
    public Optional<String> problem() {
        return problem;
    }
}
