package dev.berth.apiserver.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Facts;
import dev.berth.apiserver.store.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Between trees and bytes. What is stored has neither kind nor apiVersion: the address says them. */
final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(10_000)
                    .maxStringLength(4 << 20)
                    .build())
            .build();
    static final ObjectMapper MAPPER = new ObjectMapper(FACTORY);
    private static final ObjectReader TREES =
            MAPPER.reader().forType(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}

    /** @throws IOException when the bytes are not one JSON value */
    static JsonNode parse(byte[] bytes) throws IOException {
        JsonNode node = TREES.readValue(bytes);
        return node == null ? JsonNodeFactory.instance.missingNode() : node;
    }

    /** The stored object as a tree of the caller's own. */
    static ObjectNode tree(ResourceType type, Stored stored) {
        try {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
            object.setAll((ObjectNode) TREES.readValue(stored.json()));
            return EventForms.isConverted(type) ? EventForms.fromCore(object) : object;
        } catch (IOException broken) {
            throw new UncheckedIOException("stored object cannot be read", broken);
        }
    }

    /**
     * The stored object without what the listener has no use for. Its fields and theirs are the listener's own; what is
     * below may be shared with others who listen, and is only read.
     */
    static ObjectNode tree(ResourceType type, Stored stored, Api.Listener listener) {
        if (EventForms.isConverted(type)) return tree(type, stored);
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        ObjectNode fresh = stored.tree();
        if (fresh == null) parse(stored, object, listener);
        else copy(fresh, object, listener);
        if (fresh != null)
            object.withObjectProperty("metadata").put("resourceVersion", Long.toString(stored.revision()));
        return object;
    }

    private static void copy(ObjectNode from, ObjectNode to, Api.Listener listener) {
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            String name = field.getKey();
            if (to.has(name) || !listener.reads("", name)) continue;
            if (!(field.getValue() instanceof ObjectNode children)) {
                to.set(name, field.getValue());
                continue;
            }
            ObjectNode copy = to.putObject(name);
            for (Map.Entry<String, JsonNode> child : children.properties()) {
                if (listener.reads(name, child.getKey())) copy.set(child.getKey(), child.getValue());
            }
        }
    }

    private static void parse(Stored stored, ObjectNode object, Api.Listener listener) {
        try (JsonParser parser = FACTORY.createParser(stored.json())) {
            parser.nextToken();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                boolean whole = parser.nextToken() != JsonToken.START_OBJECT;
                if (!listener.reads("", field)) parser.skipChildren();
                else if (whole) object.set(field, MAPPER.<JsonNode>readTree(parser));
                else read(parser, field, object.putObject(field), listener);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("stored object cannot be read", broken);
        }
    }

    private static void read(JsonParser parser, String parent, ObjectNode object, Api.Listener listener)
            throws IOException {
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            if (listener.reads(parent, field)) object.set(field, MAPPER.<JsonNode>readTree(parser));
            else parser.skipChildren();
        }
    }

    /** The same with line breaks, for people. */
    static byte[] pretty(byte[] json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(parse(json));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static byte[] bytes(JsonNode node) {
        var writer = new JsonWriter(1024);
        writer.write(node);
        return writer.toBytes();
    }

    /** Serialises for the store: metadata first, with a hole for the resourceVersion. */
    static Draft draft(ObjectNode object, Facts facts) {
        var writer = new JsonWriter(8192);
        writer.raw("{\"metadata\":{");
        for (Map.Entry<String, JsonNode> field : object.path("metadata").properties()) {
            if (field.getKey().equals("resourceVersion")) continue;
            writer.field(field.getKey(), field.getValue());
            writer.raw(',');
        }
        writer.raw("\"resourceVersion\":\"");
        int hole = writer.size();
        writer.raw("\"}");
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            switch (field.getKey()) {
                case "kind", "apiVersion", "metadata" -> {}
                default -> {
                    writer.raw(',');
                    writer.field(field.getKey(), field.getValue());
                }
            }
        }
        writer.raw('}');
        return new Draft(writer.toBytes(), hole, facts).from(object);
    }

    /** The kind and the apiVersion: what goes before a stored object's bytes, in place of their brace. */
    static byte[] head(String apiVersion, String kind) {
        return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.UTF_8);
    }
}
