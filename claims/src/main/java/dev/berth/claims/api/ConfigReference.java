package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import java.util.List;
import java.util.Optional;

/**
 * A vendor's settings object that goes with the device.
 *
 * @param namespace only a class may name one; a claim's settings are in its own
 */
public record ConfigReference(String apiVersion, String kind, Optional<String> namespace, String name) {
    static List<ConfigReference> ofClass(List<Field> items) {
        return items.stream().map(item -> read(item, true)).toList();
    }

    static List<ConfigReference> ofClaim(List<Field> items) {
        return items.stream().map(item -> read(item, false)).toList();
    }

    private static ConfigReference read(Field item, boolean anyNamespace) {
        var fields = item.fields();
        var reference = new ConfigReference(
                fields.require("apiVersion").text(),
                fields.require("kind").text(),
                anyNamespace ? fields.text("namespace") : Optional.empty(),
                fields.require("name").text());
        fields.done();
        return reference;
    }

    ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", apiVersion).put("kind", kind);
        namespace.ifPresent(value -> json.put("namespace", value));
        return json.put("name", name);
    }

    @Override
    public String toString() {
        return kind + " " + namespace.map(value -> value + "/").orElse("") + name;
    }
}
