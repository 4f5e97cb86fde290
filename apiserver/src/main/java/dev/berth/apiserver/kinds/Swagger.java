package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** The OpenAPI 2 document, which older clients read: the same content with fewer words. */
final class Swagger {
    /** What version 2 has no word for. */
    private static final Set<String> DROPPED = Set.of("oneOf", "anyOf", "allOf", "not", "nullable", "default");

    private Swagger() {}

    static ObjectNode document(List<Operations> operations, ObjectNode components) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "1.36");
        ObjectNode paths = document.putObject("paths");
        operations.forEach(each -> add(paths, each));
        ObjectNode definitions = document.putObject("definitions");
        components.properties().forEach(each -> definitions.set(each.getKey(), schema(each.getValue())));
        return document;
    }

    private static void add(ObjectNode paths, Operations operations) {
        for (var operation : operations.all()) {
            ObjectNode path = paths.withObjectProperty(operation.path());
            if (path.isEmpty()) pathParameters(path.putArray("parameters"), operation.path());
            ObjectNode node = path.putObject(operation.method());
            node.put("description", operation.description());
            ArrayNode consumes = node.putArray("consumes");
            if (operation.method().equals("patch")) operations.patchTypes().forEach(consumes::add);
            else consumes.add("*/*");
            ArrayNode produces = node.putArray("produces");
            OpenApiPaths.MEDIA_TYPES.forEach(produces::add);
            node.putArray("tags")
                    .add(Operations.tag(
                            operations.type().group(), operations.type().version(), false));
            node.put("operationId", operation.id());
            ArrayNode parameters = node.putArray("parameters");
            operation
                    .body()
                    .ifPresent(body -> reference(
                            parameters
                                    .addObject()
                                    .put("name", "body")
                                    .put("in", "body")
                                    .put("required", true)
                                    .putObject("schema"),
                            body));
            for (var query : OpenApiPaths.QUERIES) {
                if (query.actions().contains(operation.action())) {
                    parameters
                            .addObject()
                            .put("name", query.name())
                            .put("in", "query")
                            .put("type", query.type())
                            .put("uniqueItems", true);
                }
            }
            ObjectNode ok = node.putObject("responses").putObject("200").put("description", "OK");
            reference(ok.putObject("schema"), operation.response());
            node.put("x-kubernetes-action", operation.action());
            node.putObject("x-kubernetes-group-version-kind")
                    .put("group", operation.kind().group())
                    .put("kind", operation.kind().kind())
                    .put("version", operation.kind().version());
        }
    }

    private static void pathParameters(ArrayNode parameters, String path) {
        for (String name : List.of("name", "namespace")) {
            if (path.contains("{" + name + "}")) {
                parameters
                        .addObject()
                        .put("name", name)
                        .put("in", "path")
                        .put("required", true)
                        .put("type", "string")
                        .put("uniqueItems", true);
            }
        }
    }

    private static void reference(ObjectNode schema, String definition) {
        schema.put("$ref", "#/definitions/" + definition);
    }

    private static JsonNode schema(JsonNode version3) {
        if (version3 instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            array.forEach(each -> copy.add(schema(each)));
            return copy;
        }
        if (!(version3 instanceof ObjectNode object)) return version3;
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        JsonNode wrapped = object.path("allOf").path(0).path("$ref");
        if (wrapped.isTextual()) reference(copy, Schemas.definitionOf(wrapped.asText()));
        if (object.path("oneOf").isArray() && !object.has("type")) copy.put("type", "string");
        for (var field : object.properties()) {
            String name = field.getKey();
            if (name.equals("$ref") && field.getValue().isTextual()) {
                reference(copy, Schemas.definitionOf(field.getValue().asText()));
            } else if (name.equals("properties") && field.getValue() instanceof ObjectNode properties) {
                // A property may have the name of a keyword.
                ObjectNode all = copy.putObject("properties");
                properties.properties().forEach(each -> all.set(each.getKey(), schema(each.getValue())));
            } else if (!DROPPED.contains(name)) {
                copy.set(name, schema(field.getValue()));
            }
        }
        return copy;
    }
}
