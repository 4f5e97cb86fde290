package dev.berth.apiserver.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
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

    /** The same with line breaks, for people. */
    static byte[] pretty(byte[] json) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(parse(json));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static byte[] bytes(JsonNode node) {
        try (var out = new ByteArrayBuilder(1024);
                JsonGenerator generator = FACTORY.createGenerator(out)) {
            write(generator, node);
            generator.flush();
            return out.toByteArray();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Serialises for the store: metadata first, with a hole for the resourceVersion. */
    static Draft draft(ObjectNode object, Facts facts) {
        try (var out = new ByteArrayBuilder(2048);
                JsonGenerator generator = FACTORY.createGenerator(out)) {
            generator.writeStartObject();
            generator.writeFieldName("metadata");
            generator.writeStartObject();
            for (Map.Entry<String, JsonNode> field : object.path("metadata").properties()) {
                if (field.getKey().equals("resourceVersion")) continue;
                generator.writeFieldName(field.getKey());
                write(generator, field.getValue());
            }
            generator.writeFieldName("resourceVersion");
            generator.writeString("");
            generator.flush();
            int hole = out.size() - 1;
            generator.writeEndObject();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                switch (field.getKey()) {
                    case "kind", "apiVersion", "metadata" -> {}
                    default -> {
                        generator.writeFieldName(field.getKey());
                        write(generator, field.getValue());
                    }
                }
            }
            generator.writeEndObject();
            generator.flush();
            return new Draft(out.toByteArray(), hole, facts);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The kind and the apiVersion: what goes before a stored object's bytes, in place of their brace. */
    static byte[] head(String apiVersion, String kind) {
        return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonGenerator generator, JsonNode node) throws IOException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                generator.writeStartObject();
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    generator.writeFieldName(field.getKey());
                    write(generator, field.getValue());
                }
                generator.writeEndObject();
            }
            case ARRAY -> {
                generator.writeStartArray();
                for (JsonNode item : node) write(generator, item);
                generator.writeEndArray();
            }
            case STRING -> generator.writeString(node.textValue());
            case BOOLEAN -> generator.writeBoolean(node.booleanValue());
            case NUMBER -> {
                if (node.isInt() || node.isLong()) generator.writeNumber(node.longValue());
                else generator.writeTree(node);
            }
            case NULL, MISSING -> generator.writeNull();
            case BINARY, POJO -> MAPPER.writeTree(generator, node);
        }
    }
}
