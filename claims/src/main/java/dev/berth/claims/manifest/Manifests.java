package dev.berth.claims.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** The objects of a file: one or several documents, each an object, a List of objects or a sequence of them. */
public final class Manifests {
    private Manifests() {}

    /** @throws ManifestException for text that is not YAML or JSON, or holds something else than objects */
    public static List<Manifest> read(String name, String text) {
        List<Manifest> manifests = new ArrayList<>();
        var documents = YamlDocuments.read(name, text);
        for (int i = 0; i < documents.size(); i++) {
            var document = documents.get(i);
            var origin = new Manifest.Origin(name, i + 1, document.lines());
            add(new Field(document.tree(), origin, "", ""), origin, "", manifests);
        }
        return List.copyOf(manifests);
    }

    private static void add(Field field, Manifest.Origin origin, String pointer, List<Manifest> manifests) {
        JsonNode value = field.value();
        if (value.isNull()) {
            return; // an empty document, as between two separators
        }
        if (value.isArray()) {
            List<Field> items = field.items();
            for (int i = 0; i < items.size(); i++) {
                add(items.get(i), origin, pointer + "/" + i, manifests);
            }
        } else if (value instanceof ObjectNode object) {
            if (object.path("kind").asText().endsWith("List")
                    && object.path("items").isArray()) {
                add(field.child("items"), origin, pointer + "/items", manifests);
            } else {
                manifests.add(new Manifest(object, origin, pointer));
            }
        } else {
            throw field.problem("must be an object with apiVersion and kind, not '" + value.asText() + "'");
        }
    }
}
