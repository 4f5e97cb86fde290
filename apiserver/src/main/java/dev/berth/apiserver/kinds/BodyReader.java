package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body along a schema and says all that is wrong with it, in the order and the words of Kubernetes. Slower than
 * {@link FieldCheck}, which has found that there is something to say.
 */
final class BodyReader {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<String> duplicates = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private @Nullable String typeError;

    /** The Go struct that is being read and the fields on the way to it, as Go's type errors name them. */
    private record Place(String struct, String goPath, String path) {
        Place field(String name, boolean map) {
            String at = path.isEmpty() ? name : path + "." + name;
            if (map) return new Place(struct, goPath, at);
            return new Place(struct, goPath.isEmpty() ? name : goPath + "." + name, at);
        }

        Place item(int index) {
            return new Place(struct, goPath, path + "[" + index + "]");
        }

        Place inside(Schema schema) {
            String definition = GoTypes.struct(schema);
            return definition.isEmpty() ? this : new Place(definition, goPath, path);
        }
    }

    /** Duplicate fields alone, for kinds whose unknown fields are found by pruning. */
    List<String> duplicates() {
        return duplicates;
    }

    /** Unknown and duplicate fields in the order of the document. */
    List<String> complaints() {
        return complaints;
    }

    /** The first value of a wrong type, or null. */
    @Nullable
    String typeError() {
        return typeError;
    }

    JsonNode read(JsonParser parser, Schema schema) throws IOException {
        if (parser.currentToken() == null) parser.nextToken();
        return value(parser, schema, new Place(GoTypes.struct(schema), "", ""));
    }

    /** The same over a tree, which has no duplicates. */
    static BodyReader over(JsonNode tree, Schema schema) {
        BodyReader reader = new BodyReader();
        try (JsonParser parser = MAPPER.treeAsTokens(tree)) {
            reader.read(parser, schema);
            return reader;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode value(JsonParser parser, @Nullable Schema schema, Place place) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                if (schema != null && schema.type() != Schema.Type.OBJECT && schema.type() != Schema.Type.ANY) {
                    mistyped(schema, JsonNodeFactory.instance.objectNode(), place);
                    yield object(parser, null, place);
                }
                yield object(parser, schema, place);
            }
            case START_ARRAY -> array(parser, schema, place);
            default -> {
                JsonNode scalar = MAPPER.readTree(parser);
                if (schema != null && !FieldCheck.passes(schema, scalar)) mistyped(schema, scalar, place);
                yield scalar;
            }
        };
    }

    private ObjectNode object(JsonParser parser, @Nullable Schema schema, Place outer) throws IOException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        Place place = schema == null ? outer : outer.inside(schema);
        Map<String, Schema> known = schema == null ? Map.of() : schema.properties();
        @Nullable
        Schema others = schema == null ? null : schema.additionalProperties().orElse(null);
        boolean open = schema == null || schema.preservesUnknownFields();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            Schema child = known.get(name);
            boolean map = child == null && others != null;
            if (child == null) child = others;
            Place at = place.field(name, map);
            if (object.has(name)) duplicate(parser, name, at.path());
            if (child == null && !open) complaints.add("unknown field \"" + at.path() + "\"");
            parser.nextToken();
            object.set(name, value(parser, child, at));
        }
        return object;
    }

    private void duplicate(JsonParser parser, String name, String path) {
        String complaint = parser instanceof YAMLParser
                ? "yaml: unmarshal errors:\n  line %d: key \"%s\" already set in map"
                        .formatted(parser.currentTokenLocation().getLineNr(), name)
                : "duplicate field \"" + path + "\"";
        complaints.add(complaint);
        duplicates.add(complaint);
    }

    private ArrayNode array(JsonParser parser, @Nullable Schema schema, Place place) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        @Nullable Schema items = schema == null ? null : schema.items().orElse(null);
        if (schema != null && schema.type() != Schema.Type.ARRAY && schema.type() != Schema.Type.ANY) {
            mistyped(schema, array, place);
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser, items, place.item(array.size())));
        }
        return array;
    }

    private void mistyped(Schema schema, JsonNode value, Place place) {
        if (typeError == null) typeError = GoTypes.mistyped(schema, value, place.struct(), place.goPath());
    }
}
