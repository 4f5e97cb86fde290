package dev.berth.claims.generate;

import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.Metadata;
import dev.berth.core.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A node's foozers, the devices of the prototype's examples: so many of them, so many on each NUMA node. */
record FoozerPool(String node, String model, int devices, int perNuma) {
    private static final String DRIVER = "example.com-foozer";

    DevicePool pool() {
        List<DevicePool.Device> all = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
            Map<String, Attribute> attributes = Map.of("numa", new Attribute.Text(Integer.toString(i / perNuma)));
            all.add(new DevicePool.Device("dev-%02d".formatted(i), attributes, new TreeMap<>(), List.of()));
        }
        return new DevicePool(
                Metadata.named("", node + "-pool-foozer"),
                Optional.of(node),
                DRIVER,
                Map.of(
                        "vendor", new Attribute.Text("example.com"),
                        "model", new Attribute.Text(model),
                        "firmwareVersion", new Attribute.Version("1.8.2"),
                        "driverVersion", new Attribute.Version("4.2.1-gen3")),
                List.of(),
                all);
    }
}
