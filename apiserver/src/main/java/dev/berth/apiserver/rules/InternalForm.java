package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Values as the real server's internal types print them. Some of its messages quote a value that way, with Go's names
 * for the fields. Used for messages only; the list comes from {@code e2e/controlplane/internal}.
 */
final class InternalForm {
    private static final String LIST = "/dev/berth/apiserver/kubernetes-1.36-internal-shapes.txt";
    /** These moved into the security context on their way in. */
    private static final List<String> MOVED =
            List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers");

    private record Field(String key, String wire, boolean dropped, String shape) {}

    private static final class Types {
        static final Map<String, List<Field>> ALL = load();
    }

    private InternalForm() {}

    /** @param type such as {@code core.PodSpec} */
    static JsonNode of(String type, JsonNode value) {
        return convert(value, "@" + type);
    }

    /** For small types without a list: the same fields with Go's capitals. */
    static JsonNode lettered(JsonNode value, List<String> fields) {
        ObjectNode struct = JsonNodeFactory.instance.objectNode();
        for (String field : fields)
            struct.put(
                    field.equals("apiGroup") ? "APIGroup" : Character.toUpperCase(field.charAt(0)) + field.substring(1),
                    Tree.text(value, field));
        return struct;
    }

    private static JsonNode convert(JsonNode value, String shape) {
        String rest = shape.substring(1);
        boolean absent = value.isMissingNode() || value.isNull();
        return switch (shape.charAt(0)) {
            case '*' -> absent ? NullNode.getInstance() : convert(value, rest);
            case '[' -> absent || value.isEmpty() ? NullNode.getInstance() : items(value, rest);
            case '{' -> absent || value.isEmpty() ? NullNode.getInstance() : entries(value, rest);
            case '@' -> struct(value, rest);
            case 's' -> absent ? TextNode.valueOf("") : value;
            case 'b' -> absent ? BooleanNode.FALSE : value;
            case 'n' -> absent ? IntNode.valueOf(0) : value;
            default -> absent ? NullNode.getInstance() : value;
        };
    }

    private static JsonNode items(JsonNode value, String of) {
        var items = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : value) items.add(convert(item, of));
        return items;
    }

    private static JsonNode entries(JsonNode value, String of) {
        // Go writes maps in the order of their keys.
        Map<String, JsonNode> sorted = new TreeMap<>();
        for (var entry : value.properties()) sorted.put(entry.getKey(), convert(entry.getValue(), of));
        ObjectNode entries = JsonNodeFactory.instance.objectNode();
        sorted.forEach(entries::set);
        return entries;
    }

    private static JsonNode struct(JsonNode value, String type) {
        ObjectNode struct = JsonNodeFactory.instance.objectNode();
        for (Field field : Objects.requireNonNull(Types.ALL.get(type), type)) {
            JsonNode wire = Tree.at(value, field.wire());
            // Inside, a template has its metadata's fields among its own.
            if (wire.isMissingNode() && type.endsWith("TemplateSpec"))
                wire = Tree.at(Tree.at(value, "metadata"), field.wire());
            if (type.equals("core.PodSpec") && field.key().equals("SecurityContext")) wire = withMoved(wire, value);
            JsonNode converted = convert(wire, field.shape());
            if (!field.dropped() || !isEmpty(converted)) struct.set(field.key(), converted);
        }
        return struct;
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isTextual() && value.textValue().isEmpty())
                || (value.isNumber() && value.asLong() == 0)
                || (value.isBoolean() && !value.booleanValue());
    }

    private static JsonNode withMoved(JsonNode context, JsonNode spec) {
        ObjectNode moved =
                context instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        for (String field : MOVED) if (Tree.has(spec, field)) moved.set(field, spec.get(field));
        return moved;
    }

    private static Map<String, List<Field>> load() {
        Map<String, List<Field>> types = new HashMap<>();
        try (var list = Objects.requireNonNull(InternalForm.class.getResourceAsStream(LIST), LIST);
                var lines = new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
            List<Field> current = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("type:")) current = types.computeIfAbsent(words[1], _ -> new ArrayList<>());
                else current.add(field(words));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return types;
    }

    private static Field field(String[] words) {
        String key = words[0];
        // Fields of the internal security context that the wire's has not.
        String wire = words[1].equals("-") ? Character.toLowerCase(key.charAt(0)) + key.substring(1) : words[1];
        boolean moved = words[1].equals("-") && key.startsWith("Host") && !key.equals("HostUsers");
        return new Field(key, wire, words[2].charAt(0) == 'e', moved ? "b" : words[2].substring(1));
    }
}
