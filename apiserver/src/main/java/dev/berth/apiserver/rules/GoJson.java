package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON in the spelling of Go's {@code json.MarshalIndent} with one space. */
final class GoJson {
    private GoJson() {}

    static String indented(JsonNode node) {
        var text = new StringBuilder();
        write(node, "\n", text);
        return text.toString();
    }

    private static void write(JsonNode node, String indent, StringBuilder text) {
        if (!node.isContainerNode()) {
            text.append(node);
            return;
        }
        boolean object = node.isObject();
        if (node.isEmpty()) {
            text.append(object ? "{}" : "[]");
            return;
        }
        String deeper = indent + " ";
        char mark = object ? '{' : '[';
        if (object)
            for (var entry : node.properties()) {
                text.append(mark)
                        .append(deeper)
                        .append(Errors.quoted(entry.getKey()))
                        .append(": ");
                write(entry.getValue(), deeper, text);
                mark = ',';
            }
        else
            for (JsonNode item : node) {
                text.append(mark).append(deeper);
                write(item, deeper, text);
                mark = ',';
            }
        text.append(indent).append(object ? '}' : ']');
    }
}
