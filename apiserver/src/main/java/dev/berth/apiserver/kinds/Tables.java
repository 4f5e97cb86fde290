package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Objects as the tables that kubectl prints, with the columns of kube-apiserver or of the custom definition. */
public final class Tables {
    /** How much of each object goes beside its row. */
    public enum IncludeObject {
        NONE,
        METADATA,
        OBJECT;

        /** @param parameter the query parameter {@code includeObject}; empty when absent */
        public static IncludeObject of(String parameter) {
            return switch (parameter) {
                case "None" -> NONE;
                case "", "Metadata" -> METADATA;
                case "Object" -> OBJECT;
                default ->
                    throw ApiException.badRequest(
                            "Unable to convert to Table as requested: includeObject: Invalid value: \"%s\": must be 'Metadata', 'Object', 'None', or empty"
                                    .formatted(parameter));
            };
        }
    }

    private static final JsonNode COLUMNS = load();
    private static final ArrayNode COMPLETED = podCondition("Succeeded", "The pod has completed successfully.");
    private static final ArrayNode FAILED = podCondition("Failed", "The pod failed.");

    private final LiveCatalog catalog;
    private final InstantSource clock;

    public Tables(LiveCatalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    private static JsonNode load() {
        try (var resource = Tables.class.getResourceAsStream("/dev/berth/apiserver/columns.json")) {
            return new ObjectMapper().readTree(resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ArrayNode podCondition(String reason, String message) {
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        conditions
                .addObject()
                .put("type", "Completed")
                .put("status", "True")
                .put("reason", reason)
                .put("message", message);
        return conditions;
    }

    /** A list, with its own metadata (resourceVersion, continue). */
    public ObjectNode list(
            ResourceType type, JsonNode metadata, List<? extends JsonNode> objects, IncludeObject include) {
        ObjectNode table =
                JsonNodeFactory.instance.objectNode().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        ObjectNode own = table.putObject("metadata");
        for (String field : List.of("resourceVersion", "continue", "remainingItemCount")) {
            if (metadata.has(field)) own.set(field, metadata.get(field));
        }
        table.set("columnDefinitions", columns(type));
        ArrayNode rows = table.putArray("rows");
        objects.forEach(object -> rows.add(row(type, object, include)));
        return table;
    }

    /** One object, which lends the table its resourceVersion. */
    public ObjectNode single(ResourceType type, JsonNode object, IncludeObject include) {
        return list(type, object.path("metadata"), List.of(object), include);
    }

    /** The object of a watch event: only the first table of a watch names the columns. */
    public ObjectNode event(ResourceType type, JsonNode object, IncludeObject include, boolean first) {
        ObjectNode table = single(type, object, include);
        if (!first) table.set("columnDefinitions", NullNode.getInstance());
        return table;
    }

    private ArrayNode columns(ResourceType type) {
        ArrayNode columns = JsonNodeFactory.instance.arrayNode();
        JsonNode recorded = COLUMNS.path(type.qualifiedPlural());
        if (Cells.of(type).isPresent() && recorded.isArray()) {
            recorded.forEach(column -> column(
                    columns,
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("format").asText(),
                    column.has("description")
                            ? column.path("description").asText()
                            : described(column.path("name").asText()),
                    column.path("priority").asInt()));
            return columns;
        }
        column(columns, "Name", "string", "name", described("Name"), 0);
        var custom = catalog.custom(type);
        if (custom == null) {
            column(columns, "Created At", "date", "", described("Age"), 0);
        } else if (custom.columns().isEmpty()) {
            column(columns, "Age", "date", "", described("Age"), 0);
        } else {
            for (var each : custom.columns()) {
                String description = each.description().isEmpty()
                        ? "Custom resource definition column (in JSONPath format): " + each.jsonPath()
                        : each.description();
                column(columns, each.name(), each.type(), each.format(), description, each.priority());
            }
        }
        return columns;
    }

    private static void column(
            ArrayNode columns, String name, String type, String format, String description, int priority) {
        columns.addObject()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority);
    }

    /** Names and ages are described by the fields that they show. */
    private String described(String column) {
        String field = column.equals("Name") ? "name" : "creationTimestamp";
        return catalog.schemas()
                .raw(Schemas.OBJECT_META)
                .at("/properties/" + field + "/description")
                .asText();
    }

    private ObjectNode row(ResourceType type, JsonNode object, IncludeObject include) {
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.set("cells", cells(type, object));
        if (type.qualifiedPlural().equals("pods")) {
            switch (object.at("/status/phase").asText()) {
                case "Succeeded" -> row.set("conditions", COMPLETED.deepCopy());
                case "Failed" -> row.set("conditions", FAILED.deepCopy());
                default -> {}
            }
        }
        row.set(
                "object",
                switch (include) {
                    case NONE -> NullNode.getInstance();
                    case OBJECT -> object;
                    case METADATA -> metadataOnly(object);
                });
        return row;
    }

    private static ObjectNode metadataOnly(JsonNode object) {
        ObjectNode partial = JsonNodeFactory.instance.objectNode();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    private ArrayNode cells(ResourceType type, JsonNode object) {
        Row row = new Row(object, clock.instant());
        Optional<Consumer<Row>> known = Cells.of(type);
        if (known.isPresent()) {
            known.get().accept(row);
            return row.cells();
        }
        row.name();
        var custom = catalog.custom(type);
        if (custom == null) {
            row.text("/metadata/creationTimestamp");
        } else if (custom.columns().isEmpty()) {
            row.age();
        } else {
            custom.columns().forEach(column -> CustomCell.add(row, column));
        }
        return row.cells();
    }
}
