package dev.berth.claims.generate;

import dev.berth.claims.api.Capacity;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.Metadata;
import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A node's GPUs with all their partitions, as one pool.
 *
 * @param wired whether the GPUs say on which NUMA node, PCIe root and NVLink they hang
 */
record GpuPool(String node, String machine, GpuModel model, int gpus, long seed, boolean wired, boolean linked) {
    static final String DRIVER = "gpu.nvidia.com/dra";
    private static final int GPUS_PER_ROOT = 2;

    /** One pool, or one a GPU: a machine's GPUs with all their partitions are more than an API server takes at once. */
    List<DevicePool> pools() {
        String name = node + "-" + machine;
        List<DevicePool> pools = new ArrayList<>();
        if (gpus == 1 || model.profiles().isEmpty()) {
            pools.add(pool(name, 0, gpus));
            return pools;
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            pools.add(pool(name + "-gpu-" + gpu, gpu, gpu + 1));
        }
        return pools;
    }

    private DevicePool pool(String name, int first, int end) {
        List<Capacity> shared = new ArrayList<>();
        List<DevicePool.Device> devices = new ArrayList<>();
        if (!model.profiles().isEmpty()) {
            share(shared);
        }
        for (int gpu = first; gpu < end; gpu++) {
            devices.add(whole(gpu));
            for (Profile profile : model.profiles()) {
                for (int start : profile.starts()) {
                    devices.add(partition(gpu, profile, start));
                }
            }
        }
        return new DevicePool(
                Metadata.named("", name),
                Optional.of(node),
                DRIVER,
                Map.of("vendor", text("nvidia"), "model", text(machine)),
                shared,
                devices);
    }

    private void share(List<Capacity> shared) {
        shared.add(new Capacity("memory", Quantity.parse(model.memory()), Optional.empty()));
        model.engines()
                .forEach((name, amount) -> shared.add(new Capacity(name, Quantity.of(amount), Optional.empty())));
        for (int slice = 0; slice < model.slices(); slice++) {
            shared.add(new Capacity("memory-slices-" + slice, Quantity.of(1), Optional.empty()));
        }
    }

    private DevicePool.Device whole(int gpu) {
        Map<String, Attribute> attributes = common(gpu);
        attributes.put("minor", new Attribute.Whole(gpu));
        attributes.put("index", new Attribute.Whole(gpu));
        attributes.put("uuid", text(uuid("GPU", gpu)));
        SortedMap<String, Quantity> consumed = new TreeMap<>();
        Optional<Quantity> block = Optional.empty();
        if (model.profiles().isEmpty()) {
            block = Optional.of(Quantity.parse("1Mi"));
        } else {
            consumed.put("memory", Quantity.parse(model.memory()));
        }
        return new DevicePool.Device(
                "gpu-" + gpu,
                attributes,
                consumed,
                List.of(new Capacity("memory", Quantity.parse(model.memory()), block)));
    }

    private DevicePool.Device partition(int gpu, Profile profile, int start) {
        Map<String, Attribute> attributes = common(gpu);
        attributes.put("mig-profile", text(profile.name()));
        if (wired) {
            attributes.put("parent", text("gpu-" + gpu));
        }
        SortedMap<String, Quantity> consumed = new TreeMap<>();
        consumed.put("memory", Quantity.parse(profile.memory()));
        profile.engines().forEach((name, amount) -> consumed.put(name, Quantity.of(amount)));
        for (int slice = start; slice < start + profile.slices(); slice++) {
            consumed.put("memory-slices-" + slice, Quantity.of(1));
        }
        return new DevicePool.Device(
                "gpu-%d-mig-%s-%d".formatted(gpu, profile.slug(), start),
                attributes,
                consumed,
                List.of(new Capacity("memory", Quantity.parse(profile.memory()), Optional.empty())));
    }

    private Map<String, Attribute> common(int gpu) {
        Map<String, Attribute> attributes = new TreeMap<>();
        attributes.put("product-name", text(model.product()));
        attributes.put("brand", text("Nvidia"));
        attributes.put("architecture", text(model.architecture()));
        attributes.put("cuda-compute-capability", new Attribute.Version(model.computeCapability()));
        attributes.put("driver-version", new Attribute.Version(model.driverVersion()));
        attributes.put("cuda-driver-version", new Attribute.Version(model.cudaVersion()));
        if (wired) {
            attributes.put("numa", text(Integer.toString(gpu * 2 / Math.max(gpus, 2))));
            attributes.put("pcie-root", text("pci-" + gpu / GPUS_PER_ROOT));
        }
        if (linked) {
            attributes.put("nvlink-domain", text(node));
        }
        return attributes;
    }

    /** The same for the same seed, node and GPU, and another for any other. */
    private String uuid(String kind, int gpu) {
        String origin = "%s/%d/%s/%d".formatted(kind, seed, node, gpu);
        return kind + "-" + UUID.nameUUIDFromBytes(origin.getBytes(StandardCharsets.UTF_8));
    }

    private static Attribute text(String value) {
        return new Attribute.Text(value);
    }
}
