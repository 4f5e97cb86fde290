package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Devices of one driver, on one node or on the network.
 *
 * @param attributes common to all devices
 * @param sharedResources what the devices take from when they are held, so that not all of them can be
 */
public record DevicePool(
        Metadata metadata,
        Optional<String> nodeName,
        String driver,
        Map<String, Attribute> attributes,
        List<Capacity> sharedResources,
        List<Device> devices) {
    public static final String KIND = "DevicePool";
    private static final int MOST_DEVICES = 10_000;
    private static final Pattern NUMBERED = Pattern.compile("(.*?)0*(\\d+)");

    /**
     * One device of a pool.
     *
     * @param attributes beside the pool's; one of the same name wins over it
     * @param sharedResourcesConsumed how much of the pool's shared resources it takes while it is held
     * @param claimResourcesProvided what a claim can request of it
     */
    public record Device(
            String name,
            Map<String, Attribute> attributes,
            SortedMap<String, Quantity> sharedResourcesConsumed,
            List<Capacity> claimResourcesProvided) {
        public Device {
            attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
            sharedResourcesConsumed = Collections.unmodifiableSortedMap(new TreeMap<>(sharedResourcesConsumed));
            claimResourcesProvided = List.copyOf(claimResourcesProvided);
        }
    }

    public DevicePool {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        sharedResources = List.copyOf(sharedResources);
        devices = List.copyOf(devices);
    }

    public String name() {
        return metadata.name();
    }

    /** The device's own attributes and the pool's. */
    public Map<String, Attribute> attributesOf(Device device) {
        var all = new TreeMap<>(attributes);
        all.putAll(device.attributes());
        return all;
    }

    public static DevicePool read(Manifest manifest) {
        var object = manifest.fields();
        var metadata = Metadata.cluster(object.skip("apiVersion", "kind", "status"));
        var spec = object.require("spec").fields();
        object.done();
        var shared = Capacity.read(spec, "sharedResources");
        var pool = new DevicePool(
                metadata,
                spec.text("nodeName"),
                spec.require("driver").text(),
                Attributes.read(spec.items("attributes")),
                shared,
                devices(spec, shared));
        spec.done();
        return pool;
    }

    private static List<Device> devices(Fields spec, List<Capacity> shared) {
        var items = spec.find("devices");
        var count = spec.find("count");
        if (items.isPresent() == count.isPresent()) {
            throw spec.problem("needs devices (or, in its oldest form, a count of them), and not both");
        }
        List<Device> devices = new ArrayList<>();
        if (count.isPresent()) {
            if (count.get().count() > MOST_DEVICES) {
                throw count.get().problem("is more than " + MOST_DEVICES + " devices in one pool");
            }
            for (int i = 0; i < count.get().count(); i++) {
                devices.add(new Device("dev-%02d".formatted(i), Map.of(), new TreeMap<>(), List.of()));
            }
            return devices;
        }
        var names = new HashSet<String>();
        for (Field item : items.get().items()) {
            var device = device(item, shared);
            if (!names.add(device.name())) {
                throw item.problem("is a second device called " + device.name());
            }
            devices.add(device);
        }
        return devices;
    }

    private static Device device(Field item, List<Capacity> shared) {
        var fields = item.fields();
        var device = new Device(
                fields.require("name").text(),
                Attributes.read(fields.items("attributes")),
                consumed(fields, item, shared),
                Capacity.read(fields, "claimResourcesProvided", "providesClaimResources"));
        fields.done();
        return device;
    }

    private static SortedMap<String, Quantity> consumed(Fields fields, Field item, List<Capacity> shared) {
        SortedMap<String, Quantity> consumed = new TreeMap<>();
        Numbers.amounts(fields, "sharedResourcesConsumed", "consumesSharedResources")
                .forEach((name, amount) -> {
                    String known = published(name, shared)
                            .orElseThrow(() -> item.problem(
                                    "consumes %s, which is not one of the pool's sharedResources".formatted(name)));
                    if (consumed.put(known, amount) != null) {
                        throw item.problem("consumes %s twice".formatted(known));
                    }
                });
        return consumed;
    }

    /** The pool's name for it: generators have published memory-slices-0 and consumed memory-slices-00. */
    private static Optional<String> published(String name, List<Capacity> shared) {
        if (shared.stream().anyMatch(capacity -> capacity.name().equals(name))) {
            return Optional.of(name);
        }
        String plain = withoutZeros(name);
        return shared.stream()
                .map(Capacity::name)
                .filter(other -> withoutZeros(other).equals(plain))
                .findFirst();
    }

    private static String withoutZeros(String name) {
        var matcher = NUMBERED.matcher(name);
        return matcher.matches() ? matcher.group(1) + matcher.group(2) : name;
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", KIND);
        json.set("metadata", metadata.all());
        var spec = json.putObject("spec");
        spec.put("driver", driver);
        nodeName.ifPresent(node -> spec.put("nodeName", node));
        if (!attributes.isEmpty()) {
            Attributes.write(attributes, spec.putArray("attributes"));
        }
        if (!sharedResources.isEmpty()) {
            Capacity.write(sharedResources, spec.putArray("sharedResources"));
        }
        var array = spec.putArray("devices");
        devices.forEach(device -> write(device, array.addObject()));
        return json;
    }

    private static void write(Device device, ObjectNode json) {
        json.put("name", device.name());
        if (!device.attributes().isEmpty()) {
            Attributes.write(device.attributes(), json.putArray("attributes"));
        }
        if (!device.sharedResourcesConsumed().isEmpty()) {
            var consumed = json.putObject("sharedResourcesConsumed");
            device.sharedResourcesConsumed().forEach((name, amount) -> consumed.put(name, Quantities.text(amount)));
        }
        if (!device.claimResourcesProvided().isEmpty()) {
            Capacity.write(device.claimResourcesProvided(), json.putArray("claimResourcesProvided"));
        }
    }
}
