package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** Prints JSON values as Go's {@code %v} does, because the messages of Kubernetes contain them. */
final class GoText {
    private GoText() {}

    static String of(JsonNode value) {
        var text = new StringBuilder();
        print(value, text);
        return text.toString();
    }

    /** How Go's JSON decoder names the kind of a value. */
    static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "null";
        };
    }

    /** The Go type that a decoded value has. */
    static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "map[string]interface {}";
            case ARRAY -> "[]interface {}";
            case STRING, BINARY -> "string";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "%!s(<nil>)";
        };
    }

    private static void print(JsonNode value, StringBuilder text) {
        switch (value.getNodeType()) {
            case OBJECT -> printMap(value, text);
            case ARRAY -> {
                text.append('[');
                for (int i = 0; i < value.size(); i++) {
                    if (i > 0) text.append(' ');
                    print(value.path(i), text);
                }
                text.append(']');
            }
            case NULL, MISSING -> text.append("<nil>");
            case STRING, NUMBER, BOOLEAN, BINARY, POJO -> text.append(value.asText());
        }
    }

    private static void printMap(JsonNode value, StringBuilder text) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        value.properties().forEach(field -> sorted.put(field.getKey(), field.getValue()));
        text.append("map[");
        boolean first = true;
        for (var field : sorted.entrySet()) {
            if (!first) text.append(' ');
            first = false;
            text.append(field.getKey()).append(':');
            print(field.getValue(), text);
        }
        text.append(']');
    }
}
