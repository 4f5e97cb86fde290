package dev.berth.apiserver.protobuf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.protobuf.Layout.Field;
import dev.berth.apiserver.protobuf.Wire.MalformedException;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;

/**
 * Turns a body of {@code application/vnd.kubernetes.protobuf} into the JSON tree that the same client would have sent
 * as JSON.
 */
public final class ProtobufBody {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int DEEPEST = 100;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** Read when the first protobuf body comes. */
    private static final class Table {
        static final Layout LAYOUT = Layout.load();
    }

    private ProtobufBody() {}

    /** @throws UnreadableException when the body is not what it says, or of a kind that has no protobuf form */
    public static ObjectNode decode(byte[] body) throws UnreadableException {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new UnreadableException("provided data does not appear to be a protobuf message, expected prefix "
                    + Arrays.toString(MAGIC).replace(",", ""));
        }
        try {
            return envelope(new Wire(body, MAGIC.length, body.length));
        } catch (MalformedException malformed) {
            throw new UnreadableException("proto: " + malformed.getMessage());
        }
    }

    /** The body cannot be read; the message is for the client. */
    public static final class UnreadableException extends Exception {
        private final String reason;

        UnreadableException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }
    }

    /** {@code runtime.Unknown}: what kind it is, and its bytes. */
    private static ObjectNode envelope(Wire wire) throws UnreadableException {
        String apiVersion = "";
        String kind = "";
        Wire raw = new Wire(new byte[0], 0, 0);
        while (wire.more()) {
            int tag = wire.tag();
            if (tag == ((1 << 3) | Wire.BYTES)) {
                Wire typeMeta = wire.slice();
                while (typeMeta.more()) {
                    int inner = typeMeta.tag();
                    if (inner == ((1 << 3) | Wire.BYTES))
                        apiVersion = typeMeta.slice().text();
                    else if (inner == ((2 << 3) | Wire.BYTES))
                        kind = typeMeta.slice().text();
                    else typeMeta.skip(inner & 7);
                }
            } else if (tag == ((2 << 3) | Wire.BYTES)) {
                raw = wire.slice();
            } else {
                wire.skip(tag & 7);
            }
        }
        String message = Table.LAYOUT.root(apiVersion, kind).orElse("");
        if (message.isEmpty()) {
            throw new UnreadableException(
                    "no kind \"%s\" is registered for version \"%s\" in protobuf".formatted(kind, apiVersion));
        }
        ObjectNode object = JSON.objectNode().put("kind", kind).put("apiVersion", apiVersion);
        read(message, raw, object, 0);
        return object;
    }

    private static void read(String message, Wire wire, ObjectNode into, int depth) {
        if (depth > DEEPEST) throw new MalformedException("nested deeper than " + DEEPEST);
        var fields = Table.LAYOUT.fields(message);
        while (wire.more()) {
            int tag = wire.tag();
            Field field = fields.get(tag >>> 3);
            if (field == null) {
                wire.skip(tag & 7);
            } else if (field.embedded()) {
                read(field.type(), wire.slice(), into, depth + 1);
            } else {
                put(field, wire, tag & 7, into, depth);
            }
        }
    }

    private static void put(Field field, Wire wire, int wireType, ObjectNode into, int depth) {
        String type = field.type();
        switch (type.charAt(0)) {
            case '*' ->
                into.withArray("/" + escaped(field.name())).add(value(type.substring(1), wire, wireType, depth));
            case '%' -> entry(type.substring(1), wire.slice(), mapOf(into, field.name()), depth);
            default -> {
                JsonNode value = value(type, wire, wireType, depth);
                if (field.pointer() || !field.omittedWhenEmpty() || !empty(value)) into.set(field.name(), value);
            }
        }
    }

    private static ObjectNode mapOf(ObjectNode into, String name) {
        return into.get(name) instanceof ObjectNode map ? map : into.putObject(name);
    }

    private static void entry(String type, Wire wire, ObjectNode into, int depth) {
        String key = "";
        JsonNode value = type.equals("string") || type.equals("bytes") ? JSON.textNode("") : JSON.objectNode();
        while (wire.more()) {
            int tag = wire.tag();
            if (tag >>> 3 == 1) key = wire.slice().text();
            else if (tag >>> 3 == 2) value = value(type, wire, tag & 7, depth);
            else wire.skip(tag & 7);
        }
        into.set(key, value);
    }

    /** Go leaves out empty values of fields that are no pointers; protobuf always carries them. */
    private static boolean empty(JsonNode value) {
        return value.isNull()
                || (value.isTextual() && value.textValue().isEmpty())
                || (value.isNumber() && value.doubleValue() == 0)
                || (value.isBoolean() && !value.booleanValue());
    }

    private static JsonNode value(String type, Wire wire, int wireType, int depth) {
        return switch (type) {
            case "string" -> JSON.textNode(wire.slice().text());
            case "bytes" ->
                JSON.textNode(Base64.getEncoder().encodeToString(wire.slice().rest()));
            case "bool" -> JSON.booleanNode(wire.varint() != 0);
            case "int" -> JSON.numberNode(wire.varint());
            case "double" -> {
                if (wireType != Wire.FIXED64) throw new MalformedException("wrong wireType for a double");
                yield JSON.numberNode(wire.fixed64());
            }
            case "time" -> time(wire.slice(), SECONDS);
            case "microtime" -> time(wire.slice(), MICROSECONDS);
            case "quantity" -> quantity(wire.slice());
            case "intorstring" -> intOrString(wire.slice());
            case "json" -> json(wire.slice());
            default ->
                type.startsWith("items:")
                        ? items(type.substring("items:".length()), wire.slice(), depth)
                        : object(type, wire.slice(), depth);
        };
    }

    private static ObjectNode object(String message, Wire wire, int depth) {
        ObjectNode object = JSON.objectNode();
        read(message, wire, object, depth + 1);
        return object;
    }

    private static ArrayNode items(String type, Wire wire, int depth) {
        ArrayNode items = JSON.arrayNode();
        while (wire.more()) items.add(value(type, wire, wire.tag() & 7, depth + 1));
        return items;
    }

    private static JsonNode time(Wire wire, DateTimeFormatter format) {
        long seconds = 0;
        long nanos = 0;
        if (!wire.more()) return JSON.nullNode();
        while (wire.more()) {
            int tag = wire.tag();
            if (tag >>> 3 == 1) seconds = wire.varint();
            else if (tag >>> 3 == 2) nanos = wire.varint();
            else wire.skip(tag & 7);
        }
        return JSON.textNode(format.format(Instant.ofEpochSecond(seconds, nanos)));
    }

    private static JsonNode quantity(Wire wire) {
        String text = "0";
        while (wire.more()) {
            int tag = wire.tag();
            if (tag >>> 3 == 1) text = wire.slice().text();
            else wire.skip(tag & 7);
        }
        return JSON.textNode(text);
    }

    private static JsonNode intOrString(Wire wire) {
        boolean isText = false;
        long number = 0;
        String text = "";
        while (wire.more()) {
            int tag = wire.tag();
            switch (tag >>> 3) {
                case 1 -> isText = wire.varint() == 1;
                case 2 -> number = wire.varint();
                case 3 -> text = wire.slice().text();
                default -> wire.skip(tag & 7);
            }
        }
        return isText ? JSON.textNode(text) : JSON.numberNode(number);
    }

    private static JsonNode json(Wire wire) {
        byte[] raw = new byte[0];
        while (wire.more()) {
            int tag = wire.tag();
            if (tag >>> 3 == 1) raw = wire.slice().rest();
            else wire.skip(tag & 7);
        }
        try {
            JsonNode tree = MAPPER.readTree(raw);
            return tree.isMissingNode() ? JSON.nullNode() : tree;
        } catch (JsonProcessingException e) {
            throw new MalformedException("raw JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new MalformedException("raw JSON: " + e.getMessage());
        }
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
