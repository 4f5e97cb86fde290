package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happens to a custom object before anybody looks at it: pruned to its schema, and completed with defaults. */
record CustomCompletion(ResourceType type) {
    /** @return the pruned fields, as complaints */
    List<String> complete(ObjectNode object, Function<String, ApiException> refusal) {
        JsonNode metadata = object.path("metadata");
        Schema metadataSchema = type.schema().properties().get("metadata");
        List<String> inMetadata = List.of();
        if (metadataSchema != null && !FieldCheck.passes(metadataSchema, metadata)) {
            inMetadata = metadata(metadata, metadataSchema, refusal);
        }
        List<String> pruned = new ArrayList<>();
        List<String> prunedInside = new ArrayList<>();
        prune(object, type.schema(), "", pruned, prunedInside);
        fill(object, type.schema());
        if (pruned.isEmpty() && prunedInside.isEmpty() && inMetadata.isEmpty()) return List.of();
        Collections.sort(pruned);
        List<String> complaints = new ArrayList<>(inMetadata);
        pruned.forEach(path -> complaints.add("unknown field \"" + path + "\""));
        prunedInside.forEach(path -> complaints.add("unknown field \"" + path + "\""));
        return complaints;
    }

    private static List<String> metadata(JsonNode metadata, Schema schema, Function<String, ApiException> refusal) {
        BodyReader reader = BodyReader.over(metadata, schema);
        if (reader.typeError() != null) throw refusal.apply(reader.typeError());
        return reader.complaints().stream()
                .map(complaint -> complaint.replace("field \"", "field \"metadata."))
                .toList();
    }

    private static void prune(
            JsonNode value, Schema schema, String path, List<String> pruned, List<String> prunedInside) {
        if (value instanceof ObjectNode object) {
            pruneFields(object, schema, path, pruned, prunedInside);
        } else if (value instanceof ArrayNode array && schema.items().isPresent()) {
            for (int i = 0; i < array.size(); i++) {
                prune(array.get(i), schema.items().get(), path + "[" + i + "]", pruned, prunedInside);
            }
        }
    }

    private static void pruneFields(
            ObjectNode object, Schema schema, String path, List<String> pruned, List<String> prunedInside) {
        Map<String, Schema> known = schema.properties();
        @Nullable Schema others = schema.additionalProperties().orElse(null);
        boolean open = schema.preservesUnknownFields();
        boolean embedded = schema.raw().path("x-kubernetes-embedded-resource").asBoolean();
        for (var fields = object.properties().iterator(); fields.hasNext(); ) {
            var field = fields.next();
            String name = field.getKey();
            Schema child = known.get(name);
            if (child == null) child = others;
            boolean metadata = name.equals("metadata") && (path.isEmpty() || embedded);
            if (child != null) {
                String at = path.isEmpty() ? name : path + "." + name;
                prune(field.getValue(), child, at, metadata ? prunedInside : pruned, prunedInside);
            } else if (!open) {
                pruned.add(path.isEmpty() ? name : path + "." + name);
                fields.remove();
            }
        }
    }

    /** Defaults fill what is absent, and nulls that the schema does not allow. */
    private static void fill(JsonNode value, Schema schema) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, Schema> property : schema.properties().entrySet()) {
                Optional<JsonNode> fallback = ownDefault(property.getValue());
                if (fallback.isEmpty()) continue;
                JsonNode found = object.get(property.getKey());
                if (found == null || (found.isNull() && !property.getValue().nullable())) {
                    object.set(property.getKey(), fallback.get().deepCopy());
                }
            }
            @Nullable Schema others = schema.additionalProperties().orElse(null);
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                Schema child = schema.properties().get(field.getKey());
                if (child == null) child = others;
                if (child != null && !(child instanceof ReferenceSchema)) fill(field.getValue(), child);
            }
        } else if (value instanceof ArrayNode array && schema.items().isPresent()) {
            array.forEach(item -> fill(item, schema.items().get()));
        }
    }

    /** What Kubernetes calls the default of its own types (metadata) is Go's zero value and is not filled in. */
    private static Optional<JsonNode> ownDefault(Schema schema) {
        return schema instanceof ReferenceSchema ? Optional.empty() : schema.defaultValue();
    }
}
