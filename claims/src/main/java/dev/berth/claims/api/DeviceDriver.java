package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import java.util.List;

/** A driver, by its name, and the types of devices that it manages. */
public record DeviceDriver(Metadata metadata, List<String> deviceTypes) {
    public static final String KIND = "DeviceDriver";

    public DeviceDriver {
        deviceTypes = List.copyOf(deviceTypes);
    }

    public String name() {
        return metadata.name();
    }

    public static DeviceDriver read(Manifest manifest) {
        var object = manifest.fields();
        var metadata = Metadata.cluster(object.skip("apiVersion", "kind", "status"));
        var types = object.texts("deviceTypes");
        object.done();
        return new DeviceDriver(metadata, types);
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", KIND);
        json.set("metadata", metadata.all());
        deviceTypes.forEach(type -> json.withArrayProperty("deviceTypes").add(type));
        return json;
    }
}
