package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A cell that a definition's printer column asks for: the first value at its path, in the column's type. */
final class CustomCell {
    private static final int REMEMBERED = 10_000;
    private static final Map<String, JsonPath> PATHS = new ConcurrentHashMap<>();

    private CustomCell() {}

    static void add(Row row, CustomDefinition.Column column) {
        if (PATHS.size() > REMEMBERED) PATHS.clear();
        List<JsonNode> found =
                PATHS.computeIfAbsent(column.jsonPath(), JsonPath::of).find(row.object());
        row.cells().add(found.isEmpty() ? NullNode.getInstance() : cell(row, column.type(), found.getFirst()));
    }

    private static JsonNode cell(Row row, String type, JsonNode value) {
        var nodes = row.cells();
        return switch (type) {
            case "string" -> nodes.textNode(value.isContainerNode() ? value.toString() : value.asText());
            case "integer" -> value.isNumber() ? nodes.numberNode(value.asLong()) : nodes.nullNode();
            case "number" -> value.isNumber() ? value : nodes.nullNode();
            case "boolean" -> value.isBoolean() ? value : nodes.nullNode();
            case "date" ->
                value.isTextual() ? nodes.textNode(HumanDuration.since(value.asText(), row.now())) : nodes.nullNode();
            default -> nodes.nullNode();
        };
    }
}
