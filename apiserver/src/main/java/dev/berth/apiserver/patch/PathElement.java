package dev.berth.apiserver.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One step of a path, as {@code fieldsV1} spells it: {@code f:} a field, {@code k:} a list's item by its keys,
 * {@code v:} one by its value.
 */
final class PathElement {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MOST_FIELDS = 5_000;
    private static final Map<String, String> FIELDS = new ConcurrentHashMap<>();

    private PathElement() {}

    static String field(String name) {
        String known = FIELDS.get(name);
        if (known != null) return known;
        String element = "f:".concat(name);
        // Labels and the like are fields, too: there is no end of them.
        if (FIELDS.size() < MOST_FIELDS) FIELDS.put(name, element);
        return element;
    }

    static String value(JsonNode value) {
        var text = new StringBuilder("v:");
        write(value, text);
        return text.toString();
    }

    /** @param names sorted, each with a value */
    static String key(List<String> names, List<JsonNode> values) {
        var text = new StringBuilder(32).append("k:{");
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) text.append(',');
            quote(names.get(i), text);
            text.append(':');
            write(values.get(i), text);
        }
        return text.append('}').toString();
    }

    private static void write(JsonNode value, StringBuilder text) {
        if (value.isTextual()) quote(value.textValue(), text);
        else if (value.isInt() || value.isLong()) text.append(value.longValue());
        else text.append(value);
    }

    /** Go escapes what is special to HTML, too, and the result is compared as text. */
    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '<', '>', '&', '\u2028', '\u2029' -> text.append("\\u%04x".formatted((int) c));
                default -> {
                    if (c < ' ') text.append("\\u%04x".formatted((int) c));
                    else text.append(c);
                }
            }
        }
        text.append('"');
    }

    /** As messages write it: {@code .name}, {@code [name="a"]}, {@code [="a"]}, {@code [0]}. */
    static String display(String element) {
        String rest = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + rest;
            case 'k' -> "[" + keys(rest) + "]";
            case 'v' -> "[=" + rest + "]";
            default -> "[" + rest + "]";
        };
    }

    private static String keys(String json) {
        try {
            List<String> parts = new ArrayList<>();
            MAPPER.readTree(json).properties().forEach(key -> parts.add(key.getKey() + "=" + key.getValue()));
            return String.join(",", parts);
        } catch (JsonProcessingException _) {
            return json;
        }
    }

    /** True for what {@code fieldsV1} may hold as a key. */
    static boolean isValid(String element) {
        return element.equals(".")
                || (element.length() >= 2 && element.charAt(1) == ':' && "fkvi".indexOf(element.charAt(0)) >= 0);
    }
}
