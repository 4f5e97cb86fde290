package dev.berth.apiserver.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * An OpenAPI 2 document as the protobuf message {@code openapi.v2.Document}, the only form in which kubectl reads it.
 * The message has a layer of its own wherever JSON has a choice or a map; {@link #LAYOUT} names those by their kind.
 */
public final class SwaggerMessage {
    /** One line a message: JSON's key, the field's number and its kind; {@code *} where each element is a field. */
    private static final String LAYOUT = """
            Document swagger=1:string info=2:Info paths=8:paths definitions=9:schemas
            Info title=1:string version=2:string
            PathItem get=2:Operation put=3:Operation post=4:Operation delete=5:Operation patch=8:Operation parameters=9:*parameter
            Operation tags=1:*string description=3:string operationId=5:string produces=6:*string consumes=7:*string parameters=8:*parameter responses=9:responses x-=13:
            Body description=1:string name=2:string in=3:string required=4:bool schema=5:Schema
            Query required=1:bool in=2:string description=3:string name=4:string type=6:string uniqueItems=20:bool
            Path required=1:bool in=2:string description=3:string name=4:string type=5:string uniqueItems=19:bool
            Response description=1:string schema=2:schemaItem
            Schema $ref=1:string format=2:string title=3:string description=4:string default=5:any maximum=7:double minimum=9:double maxLength=11:int minLength=12:int pattern=13:string maxItems=14:int minItems=15:int uniqueItems=16:bool maxProperties=17:int minProperties=18:int required=19:*string enum=20:*any additionalProperties=21:additional type=22:strings items=23:items properties=25:schemas example=30:any x-=31:
            """;

    /** How vendors' own keys begin; they share one field. */
    private static final String EXTENSION = "x-";

    private record Field(int number, String kind) {}

    /** Read when the first client asks. */
    private static final class Table {
        static final Map<String, Map<String, Field>> MESSAGES = messages();
    }

    private SwaggerMessage() {}

    public static byte[] encode(ObjectNode document) {
        return message("Document", document).toBytes();
    }

    private static Map<String, Map<String, Field>> messages() {
        Map<String, Map<String, Field>> messages = new HashMap<>();
        LAYOUT.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            Map<String, Field> fields = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                String[] parts = words[i].split("[=:]", -1);
                fields.put(parts[0], new Field(Integer.parseInt(parts[1]), parts[2]));
            }
            messages.put(words[0], fields);
        });
        return messages;
    }

    private static WireWriter message(String name, JsonNode object) {
        Map<String, Field> fields = Table.MESSAGES.get(name);
        if (fields == null) throw new IllegalArgumentException("no message " + name);
        var message = new WireWriter();
        object.properties().forEach(property -> {
            String key = property.getKey();
            Field field = fields.get(key.startsWith(EXTENSION) ? EXTENSION : key);
            // What the message has no field for, and we do not serve, is not missed by its readers.
            if (field != null) put(message, field, key, property.getValue());
        });
        return message;
    }

    private static void put(WireWriter message, Field field, String key, JsonNode value) {
        int number = field.number();
        if (field.kind().isEmpty()) {
            message.message(number, named(key, any(value)));
        } else if (field.kind().startsWith("*")) {
            var element = new Field(number, field.kind().substring(1));
            value.forEach(each -> put(message, element, key, each));
        } else {
            switch (field.kind()) {
                case "string" -> message.text(number, value.asText());
                case "bool" -> message.number(number, value.asBoolean() ? 1 : 0);
                case "int" -> message.number(number, value.asLong());
                case "double" -> message.real(number, value.asDouble());
                default -> message.message(number, layer(field.kind(), value));
            }
        }
    }

    private static WireWriter layer(String kind, JsonNode value) {
        return switch (kind) {
            case "any" -> any(value);
            case "paths" -> map(2, "PathItem", value);
            case "schemas" -> map(1, "Schema", value);
            case "responses" -> {
                var responses = new WireWriter();
                value.properties().forEach(each -> {
                    var choice = new WireWriter().message(1, message("Response", each.getValue()));
                    responses.message(1, named(each.getKey(), choice));
                });
                yield responses;
            }
            case "schemaItem" -> new WireWriter().message(1, message("Schema", value));
            case "additional" ->
                value.isBoolean()
                        ? new WireWriter().number(2, value.asBoolean() ? 1 : 0)
                        : new WireWriter().message(1, message("Schema", value));
            case "strings", "items" -> {
                var list = new WireWriter();
                var element = new Field(1, kind.equals("strings") ? "string" : "Schema");
                elements(value).forEach(each -> put(list, element, "", each));
                yield list;
            }
            case "parameter" -> parameter(value);
            default -> message(kind, value);
        };
    }

    /** A parameter is one of two, and one that is not the body is one of four. */
    private static WireWriter parameter(JsonNode value) {
        var parameter = new WireWriter();
        switch (value.path("in").asText()) {
            case "body" -> parameter.message(1, message("Body", value));
            case "query" -> parameter.message(2, new WireWriter().message(3, message("Query", value)));
            case "path" -> parameter.message(2, new WireWriter().message(4, message("Path", value)));
            default -> throw new IllegalArgumentException("no message for parameter " + value);
        }
        return new WireWriter().message(1, parameter);
    }

    private static WireWriter map(int number, String kind, JsonNode object) {
        var map = new WireWriter();
        object.properties().forEach(each -> map.message(number, named(each.getKey(), message(kind, each.getValue()))));
        return map;
    }

    private static WireWriter named(String name, WireWriter value) {
        return new WireWriter().text(1, name).message(2, value);
    }

    /** Anything is kept as YAML, and JSON is that. */
    private static WireWriter any(JsonNode value) {
        return new WireWriter().text(2, value.toString());
    }

    private static ArrayNode elements(JsonNode value) {
        return value instanceof ArrayNode array
                ? array
                : JsonNodeFactory.instance.arrayNode().add(value);
    }
}
