package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A kind of device that claims ask for by name. */
public record DeviceClass(Metadata metadata, Spec spec) {
    public static final String KIND = "DeviceClass";

    /** What a class stands for. */
    public sealed interface Spec {}

    /** Any of the classes whose labels match. */
    public record Selecting(LabelSelector selector) implements Spec {}

    /**
     * Devices of one driver, or of every driver that manages this type of device.
     *
     * @param constraints CEL over the device's attributes
     * @param minDeviceCount how many a claim gets that does not say how many
     */
    public record Definition(
            Optional<String> driver,
            Optional<String> deviceType,
            Optional<String> constraints,
            OptionalInt minDeviceCount,
            OptionalInt maxDeviceCount,
            List<String> matchAttributes,
            List<ConfigReference> configs)
            implements Spec {
        public Definition {
            matchAttributes = List.copyOf(matchAttributes);
            configs = List.copyOf(configs);
        }
    }

    public String name() {
        return metadata.name();
    }

    public static DeviceClass read(Manifest manifest) {
        var object = manifest.fields();
        var metadata = Metadata.cluster(object.skip("apiVersion", "kind", "status"));
        var field = object.require("spec");
        object.done();
        var spec = field.fields();
        var selector = spec.find("selector");
        var nested = spec.find("definition");
        boolean flat = field.value().properties().stream()
                .anyMatch(entry ->
                        !entry.getKey().equals("selector") && !entry.getKey().equals("definition"));
        if ((selector.isPresent() ? 1 : 0) + (nested.isPresent() ? 1 : 0) + (flat ? 1 : 0) > 1) {
            throw spec.problem("is either a selector or a definition, not both");
        }
        if (selector.isPresent()) {
            return new DeviceClass(metadata, new Selecting(LabelSelector.read(selector.get())));
        }
        return new DeviceClass(
                metadata, definition(nested.isPresent() ? nested.get().fields() : spec));
    }

    private static Definition definition(Fields fields) {
        var definition = new Definition(
                fields.text("driver", "Driver"),
                fields.text("deviceType"),
                fields.text("constraints"),
                Numbers.count(fields, "minDeviceCount"),
                Numbers.count(fields, "maxDeviceCount"),
                fields.texts("matchAttributes"),
                ConfigReference.ofClass(fields.items("configs", "config")));
        fields.done();
        if (definition.driver().isEmpty() && definition.deviceType().isEmpty()) {
            throw fields.problem("needs a driver (or a deviceType, or a selector)");
        }
        return definition;
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", KIND);
        json.set("metadata", metadata.all());
        var spec = json.putObject("spec");
        switch (this.spec) {
            case Selecting(var selector) -> spec.set("selector", selector.json());
            case Definition definition -> write(definition, spec.putObject("definition"));
        }
        return json;
    }

    private static void write(Definition definition, ObjectNode json) {
        definition.driver().ifPresent(driver -> json.put("driver", driver));
        definition.deviceType().ifPresent(type -> json.put("deviceType", type));
        definition.constraints().ifPresent(constraints -> json.put("constraints", constraints));
        definition.minDeviceCount().ifPresent(count -> json.put("minDeviceCount", count));
        definition.maxDeviceCount().ifPresent(count -> json.put("maxDeviceCount", count));
        definition
                .matchAttributes()
                .forEach(name -> json.withArrayProperty("matchAttributes").add(name));
        definition.configs().forEach(config -> json.withArrayProperty("configs").add(config.json()));
    }
}
