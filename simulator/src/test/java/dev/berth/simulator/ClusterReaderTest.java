package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterReaderTest {
    @TempDir
    private Path folder = Path.of("");

    private Trace read(String... items) throws IOException {
        var text = "{\"kind\": \"List\", \"items\": [%s]}".formatted(String.join(",\n", items));
        return ClusterReader.read(Files.writeString(folder.resolve("cluster.json"), text));
    }

    private static String node(String name, String more, String allocatable) {
        return """
                {"kind": "Node", "metadata": {"name": "%s", "labels": {"nvidia.com/gpu.product": "A100", "gpu.nvidia.com/class": "other"}},
                 %s "status": {"allocatable": {%s}}}""".formatted(name, more, allocatable);
    }

    private static String pod(String name, String metadata, String spec) {
        return "{\"kind\": \"Pod\", \"metadata\": {\"namespace\": \"team\", \"name\": \"%s\" %s}, \"spec\": {%s}}"
                .formatted(name, metadata, spec);
    }

    private static String containers(String resources) {
        return "\"containers\": [{\"resources\": {%s}}]".formatted(resources);
    }

    @Test
    void aNodeHasItsAllocatableRoomAndTheModelOfItsLabel() throws IOException {
        var trace = read(
                node("a", "", "\"cpu\": \"63500m\", \"memory\": \"512Gi\", \"nvidia.com/gpu\": \"8\""),
                node("b", "", "\"cpu\": \"64\", \"memory\": \"1Gi\", \"tencent.com/vcuda-core\": \"400\""));

        assertThat(trace.machines())
                .containsExactly(
                        new Machine("a", 63_500, 524_288, 8, "A100"), new Machine("b", 64_000, 1024, 4, "A100"));
    }

    @Test
    void aCordonedNodeTakesNoPods() throws IOException {
        assertThat(read(node("a", "\"spec\": {\"unschedulable\": true},", "\"cpu\": \"1\""))
                        .machines())
                .isEmpty();
    }

    @Test
    void aPodAsksForWholeGpusOrForAPartOfOne() throws IOException {
        var trace = read(
                pod(
                        "whole",
                        "",
                        containers(
                                "\"requests\": {\"cpu\": \"500m\", \"memory\": \"1Gi\"}, \"limits\": {\"nvidia.com/gpu\": \"2\"}")),
                pod("part", "", containers("\"limits\": {\"cpu\": \"2\", \"tencent.com/vcuda-core\": \"30\"}")));

        assertThat(trace.tasks())
                .containsExactly(
                        new Task("team/whole", new Parcel(new Slice(200, 0), 500, Set.of()), 1024, Optional.empty()),
                        new Task("team/part", new Parcel(new Slice(30, 0), 2000, Set.of()), 0, Optional.empty()));
    }

    @Test
    void containersAddUpAndInitContainersCountWhereTheyWantMore() throws IOException {
        var trace = read(pod("p", "", """
                        "containers": [{"resources": {"requests": {"cpu": "1"}, "limits": {"nvidia.com/gpu": 1}}},
                                       {"resources": {"requests": {"cpu": "1"}, "limits": {"nvidia.com/gpu": 1}}}],
                        "initContainers": [{"resources": {"requests": {"cpu": "3"}}}]"""));

        assertThat(trace.tasks().getFirst().parcel()).isEqualTo(new Parcel(new Slice(200, 0), 3000, Set.of()));
    }

    @Test
    void aPodThatNamesModelsGoesOnlyThere() throws IOException {
        var trace = read(
                pod("selects", "", "\"nodeSelector\": {\"gpu.nvidia.com/class\": \"H100\"}"), pod("prefers", "", """
                        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                          {"matchExpressions": [{"key": "nvidia.com/gpu.product", "operator": "In", "values": ["A100", "H100"]}]}]}}}"""));

        assertThat(trace.tasks())
                .extracting(task -> task.parcel().models())
                .containsExactly(Set.of("H100"), Set.of("A100", "H100"));
    }

    @Test
    void whatComesWithEachNodeIsNoPodToPlace() throws IOException {
        assertThat(read(pod("d", ", \"ownerReferences\": [{\"kind\": \"DaemonSet\"}]", containers("")))
                        .tasks())
                .isEmpty();
    }

    @Test
    void aNodeWithMoreGpusThanThereAreIsRefused() {
        assertThatThrownBy(() -> read(node("a", "", "\"nvidia.com/gpu\": \"8Gi\"")))
                .isInstanceOf(BadTraceException.class)
                .hasMessageEndingWith("cluster.json: node a has 8589934592 GPUs, more than 1024");
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        assertThatThrownBy(() -> read(node("a", "", "\"cpu\": \"many\"")))
                .isInstanceOf(BadTraceException.class)
                .hasMessageEndingWith("cluster.json: node a: cpu is 'many', which is no quantity");
        var file = folder.resolve("other.json");
        Files.writeString(file, "{\"items\":\n [}");
        assertThatThrownBy(() -> ClusterReader.read(file)).hasMessageEndingWith("other.json:2: is not JSON");
        Files.write(file, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, '_', 'm', 'i', 'l'});
        assertThatThrownBy(() -> ClusterReader.read(file)).hasMessageEndingWith("other.json:1: is not JSON");
        Files.writeString(file, "{}");
        assertThatThrownBy(() -> ClusterReader.read(file)).hasMessageContaining("kubectl get nodes,pods -A -o json");
    }
}
