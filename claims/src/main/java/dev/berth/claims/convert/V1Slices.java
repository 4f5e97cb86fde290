package dev.berth.claims.convert;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.Capacity;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.Quantities;
import dev.berth.core.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A pool as resource slices: the shared counters in one of their own, and the devices in as many as it takes. */
final class V1Slices {
    private static final int MOST_DEVICES = 128;
    private static final int MOST_COUNTING_DEVICES = 64;
    private static final int MOST_COUNTERS = 32;
    private static final int LONGEST_VALUE = 64;
    private static final String COUNTER_SET = "shared";

    private final DevicePool pool;
    private final List<String> notes;

    /** @param notes what cannot be said is added to these */
    V1Slices(DevicePool pool, List<String> notes) {
        this.pool = pool;
        this.notes = notes;
    }

    List<ObjectNode> slices() throws NoWordException {
        boolean counting = !pool.sharedResources().isEmpty();
        if (pool.sharedResources().size() > MOST_COUNTERS) {
            throw new NoWordException("has more than %d shared resources".formatted(MOST_COUNTERS));
        }
        int most = counting ? MOST_COUNTING_DEVICES : MOST_DEVICES;
        List<ObjectNode> specs = new ArrayList<>();
        if (counting) {
            specs.add(counters());
        }
        for (int from = 0; from < pool.devices().size(); from += most) {
            var spec = JsonNodeFactory.instance.objectNode();
            var devices = spec.putArray("devices");
            for (var device : pool.devices()
                    .subList(from, Math.min(from + most, pool.devices().size()))) {
                devices.add(device(device));
            }
            specs.add(spec);
        }
        List<ObjectNode> slices = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            slices.add(slice(specs.get(i), i, specs.size()));
        }
        return slices;
    }

    private ObjectNode slice(ObjectNode content, int number, int count) {
        var slice = JsonNodeFactory.instance.objectNode();
        slice.put("apiVersion", V1Conversion.API_VERSION).put("kind", "ResourceSlice");
        slice.putObject("metadata").put("name", count == 1 ? pool.name() : pool.name() + "-" + number);
        var spec = slice.putObject("spec");
        spec.put("driver", V1Names.driver(pool.driver()));
        spec.putObject("pool").put("name", pool.name()).put("generation", 1).put("resourceSliceCount", count);
        pool.nodeName().ifPresentOrElse(node -> spec.put("nodeName", node), () -> spec.put("allNodes", true));
        spec.setAll(content);
        return slice;
    }

    private ObjectNode counters() {
        var spec = JsonNodeFactory.instance.objectNode();
        var set = spec.putArray("sharedCounters").addObject().put("name", COUNTER_SET);
        var counters = set.putObject("counters");
        for (Capacity shared : pool.sharedResources()) {
            counters.putObject(V1Names.label(shared.name())).put("value", Quantities.text(shared.capacity()));
        }
        return spec;
    }

    private ObjectNode device(DevicePool.Device device) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("name", V1Names.label(device.name()));
        for (Map.Entry<String, Attribute> entry : new TreeMap<>(pool.attributesOf(device)).entrySet()) {
            attribute(json, device, entry.getKey(), entry.getValue());
        }
        for (Capacity provided : device.claimResourcesProvided()) {
            capacity(json, provided);
        }
        if (!device.sharedResourcesConsumed().isEmpty()) {
            var consumes = json.putArray("consumesCounters").addObject().put("counterSet", COUNTER_SET);
            var counters = consumes.putObject("counters");
            device.sharedResourcesConsumed()
                    .forEach((name, amount) ->
                            counters.putObject(V1Names.label(name)).put("value", Quantities.text(amount)));
        }
        return json;
    }

    private void attribute(ObjectNode json, DevicePool.Device device, String name, Attribute value) {
        String key = V1Names.key(pool.driver(), name);
        switch (value) {
            case Attribute.Text(var text)
            when text.length() > LONGEST_VALUE ->
                notes.add("DevicePool %s: the attribute %s of %s is longer than %d characters, and left out"
                        .formatted(pool.name(), name, device.name(), LONGEST_VALUE));
            case Attribute.Text(var text) ->
                json.withObjectProperty("attributes").putObject(key).put("string", text);
            case Attribute.Whole(var number) ->
                json.withObjectProperty("attributes").putObject(key).put("int", number);
            case Attribute.Flag(var flag) ->
                json.withObjectProperty("attributes").putObject(key).put("bool", flag);
            case Attribute.Version(var version) ->
                json.withObjectProperty("attributes").putObject(key).put("version", version);
            case Attribute.Amount(var quantity) ->
                json.withObjectProperty("capacity").putObject(key).put("value", Quantities.text(quantity));
            case Attribute.Many _ ->
                notes.add("DevicePool %s: the attribute %s has several values, and is left out"
                        .formatted(pool.name(), name));
        }
    }

    /** A block size says that parts can be had; who does not ask for a part gets all of it. */
    private static void capacity(ObjectNode json, Capacity provided) {
        String all = Quantities.text(provided.capacity());
        var capacity = json.withObjectProperty("capacity").putObject(V1Names.identifier(provided.name()));
        capacity.put("value", all);
        Optional<String> block = provided.blockSize().map(Quantities::text);
        if (block.isPresent()) {
            json.put("allowMultipleAllocations", true);
            var policy = capacity.putObject("requestPolicy");
            policy.put("default", all);
            policy.putObject("validRange")
                    .put("min", block.get())
                    .put("max", all)
                    .put("step", block.get());
        }
    }
}
