package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.claims.manifest.Field;
import dev.berth.core.Attribute;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The attributes of a pool or a device: a list of names, each with a value of one of four types. */
final class Attributes {
    private Attributes() {}

    static Map<String, Attribute> read(List<Field> items) {
        Map<String, Attribute> attributes = new TreeMap<>();
        for (Field item : items) {
            var fields = item.fields();
            String name = fields.require("name").text();
            // Of several values the first of these counts; without one the attribute is as good as absent.
            Optional<Attribute> value = fields.find("stringValue").map(field -> new Attribute.Text(field.looseText()));
            var whole = fields.find("intValue").map(field -> new Attribute.Whole(field.whole()));
            var amount = fields.find("quantityValue").map(field -> new Attribute.Amount(field.quantity()));
            var version = fields.find("semVerValue").map(field -> new Attribute.Version(field.looseText()));
            fields.done();
            value.or(() -> whole).or(() -> amount).or(() -> version).ifPresent(known -> {
                if (attributes.put(name, known) != null) {
                    throw item.problem("names " + name + " a second time");
                }
            });
        }
        return Collections.unmodifiableMap(attributes);
    }

    static void write(Map<String, Attribute> attributes, ArrayNode array) {
        attributes.forEach((name, attribute) -> {
            var json = array.addObject().put("name", name);
            switch (attribute) {
                case Attribute.Text(var text) -> json.put("stringValue", text);
                case Attribute.Whole(var number) -> json.put("intValue", number);
                case Attribute.Amount(var quantity) -> json.put("quantityValue", Quantities.text(quantity));
                case Attribute.Version(var version) -> json.put("semVerValue", version);
                case Attribute.Flag _, Attribute.Many _ ->
                    throw new IllegalArgumentException("the prototype has no attributes of this type: " + attribute);
            }
        });
    }
}
