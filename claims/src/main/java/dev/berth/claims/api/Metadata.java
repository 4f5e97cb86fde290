package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An object's metadata: what the door looks at, and all of it as written.
 *
 * @param namespace empty for what has none
 * @param uid empty for what no server has stored
 * @param all everything, to be written back as it was; not to be changed
 */
public record Metadata(
        String namespace,
        String name,
        String uid,
        Map<String, String> labels,
        Map<String, String> annotations,
        ObjectNode all) {
    private static final String DEFAULT_NAMESPACE = "default";
    /** A server insists on lower case; published examples do not keep to it. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]{0,251}[A-Za-z0-9])?");

    public Metadata {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    public static Metadata named(String namespace, String name) {
        var all = JsonNodeFactory.instance.objectNode();
        all.put("name", name);
        if (!namespace.isEmpty()) {
            all.put("namespace", namespace);
        }
        return new Metadata(namespace, name, "", Map.of(), Map.of(), all);
    }

    static Metadata cluster(Fields object) {
        return read(object.require("metadata"), "");
    }

    static Metadata namespaced(Fields object) {
        return read(object.require("metadata"), DEFAULT_NAMESPACE);
    }

    private static Metadata read(Field field, String defaultNamespace) {
        Fields fields = field.fields();
        Field name = fields.require("name");
        if (!NAME.matcher(name.text()).matches()) {
            throw name.problem("is not a name: letters, digits, '-' and '.', at most 253 of them");
        }
        String namespace =
                defaultNamespace.isEmpty() ? "" : fields.text("namespace").orElse(defaultNamespace);
        var all = ((ObjectNode) field.value()).deepCopy();
        if (!namespace.isEmpty()) {
            all.put("namespace", namespace);
        }
        return new Metadata(
                namespace,
                name.text(),
                fields.text("uid").orElse(""),
                texts(fields, "labels"),
                texts(fields, "annotations"),
                all);
    }

    static Map<String, String> texts(Fields fields, String name) {
        Map<String, String> texts = new TreeMap<>();
        fields.find(name)
                .ifPresent(field -> field.entries().forEach((key, value) -> texts.put(key, value.looseText())));
        return texts;
    }

    /** Namespace and name as people say them. */
    public String full() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
