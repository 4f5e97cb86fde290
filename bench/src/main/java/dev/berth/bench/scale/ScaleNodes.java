package dev.berth.bench.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.door.GpuNodes;
import dev.berth.bench.door.SliceNodes;
import java.io.IOException;
import java.util.List;
import java.util.StringJoiner;

/** Nodes of eight GPUs that every door understands, each in its own words: some 6 KB of JSON, as kubelets make them. */
final class ScaleNodes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LABELS = "fudo.org/gpu.device.labels";

    private ScaleNodes() {}

    static String json(int number) throws IOException {
        return node(number).toString();
    }

    /** The same without what the assigner reads. */
    static String unlabelled(int number) throws IOException {
        var node = node(number);
        node.withObject("/metadata/annotations").remove(LABELS);
        return node.toString();
    }

    static String sliceName(int number) {
        return SliceNodes.name(number) + "-gpus";
    }

    private static ObjectNode node(int number) throws IOException {
        var node = (ObjectNode) JSON.readTree(SliceNodes.json(number));
        var metadata = node.withObject("/metadata");
        metadata.remove("uid");
        metadata.withObject("/labels")
                .put("accelerator", "a100")
                .put("zone", "one")
                .put("gpu.nvidia.com/class", number % 2 == 0 ? "A100-80GB" : "A100-40GB");
        metadata.withObject("/annotations")
                .put(LABELS, GpuNodes.annotation(number))
                .put("berth.dev/gpu-uuids", uuids(number));
        for (var amounts : List.of("/status/capacity", "/status/allocatable")) {
            node.withObject(amounts).put("nvidia.com/gpu", Integer.toString(GpuNodes.GPUS));
        }
        return node;
    }

    private static String uuids(int number) {
        var uuids = new StringJoiner(",");
        for (int gpu = 0; gpu < GpuNodes.GPUS; gpu++) uuids.add(uuid(number, gpu));
        return uuids.toString();
    }

    /** As {@link GpuNodes} writes it. */
    private static String uuid(int number, int gpu) {
        return "GPU-%08x-0000-4000-8000-%012x".formatted(number, gpu);
    }

    static String slice(int number) {
        var devices = new StringJoiner(",");
        for (int gpu = 0; gpu < GpuNodes.GPUS; gpu++) {
            devices.add("""
                    {"name":"gpu-%d","attributes":{"index":{"int":%d},"uuid":{"string":"%s"},"model":{"string":"a100"}},\
                    "capacity":{"memory":{"value":"80Gi"}}}""".formatted(gpu, gpu, uuid(number, gpu)));
        }
        var name = SliceNodes.name(number);
        return """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%3$s"},\
                "spec":{"driver":"gpu.example.com","nodeName":"%1$s","pool":{"name":"%1$s","generation":1,"resourceSliceCount":1},\
                "devices":[%2$s]}}""".formatted(name, devices, sliceName(number));
    }
}
