package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The paths of an OpenAPI 3 document. */
final class OpenApiPaths {
    static final List<String> PATCH_TYPES = List.of(
            "application/apply-patch+yaml",
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json");

    /** Custom kinds know no strategic merge; kubectl apply looks here which patch to send. */
    static final List<String> CUSTOM_PATCH_TYPES = PATCH_TYPES.subList(0, 3);

    static final List<String> MEDIA_TYPES = List.of("application/json", "application/yaml");

    /** A query parameter: its name and type, and the actions that take it. */
    record Query(String name, String type, List<String> actions) {}

    static final List<Query> QUERIES = List.of(
            new Query("allowWatchBookmarks", "boolean", List.of("list")),
            new Query("continue", "string", List.of("list", "deletecollection")),
            new Query("dryRun", "string", List.of("post", "put", "patch", "delete", "deletecollection")),
            new Query("fieldManager", "string", List.of("post", "put", "patch")),
            new Query("fieldSelector", "string", List.of("list", "deletecollection")),
            new Query("fieldValidation", "string", List.of("post", "put", "patch")),
            new Query("force", "boolean", List.of("patch")),
            new Query("gracePeriodSeconds", "integer", List.of("delete", "deletecollection")),
            new Query("labelSelector", "string", List.of("list", "deletecollection")),
            new Query("limit", "integer", List.of("list", "deletecollection")),
            new Query("orphanDependents", "boolean", List.of("delete", "deletecollection")),
            new Query("propagationPolicy", "string", List.of("delete", "deletecollection")),
            new Query("resourceVersion", "string", List.of("list", "deletecollection")),
            new Query("resourceVersionMatch", "string", List.of("list", "deletecollection")),
            new Query("sendInitialEvents", "boolean", List.of("list", "deletecollection")),
            new Query("timeoutSeconds", "integer", List.of("list", "deletecollection")),
            new Query("watch", "boolean", List.of("list")));

    private OpenApiPaths() {}

    static void add(ObjectNode paths, Operations operations) {
        for (var operation : operations.all()) {
            ObjectNode path = paths.withObjectProperty(operation.path());
            if (path.isEmpty())
                pathParameters(
                        path.putArray("parameters"),
                        operation.path(),
                        operations.type().kind());
            ObjectNode node = path.putObject(operation.method());
            node.putArray("tags")
                    .add(Operations.tag(
                            operations.type().group(), operations.type().version(), false));
            node.put("description", operation.description()).put("operationId", operation.id());
            queries(node, operation.action());
            operation.body().ifPresent(body -> {
                ObjectNode request = node.putObject("requestBody");
                ObjectNode content = request.putObject("content");
                var types = operation.method().equals("patch") ? operations.patchTypes() : List.of("*/*");
                types.forEach(type -> reference(content.putObject(type).putObject("schema"), body));
                if (!operation.method().equals("delete")) request.put("required", true);
            });
            ObjectNode ok = node.putObject("responses").putObject("200").put("description", "OK");
            ObjectNode content = ok.putObject("content");
            MEDIA_TYPES.forEach(type -> reference(content.putObject(type).putObject("schema"), operation.response()));
            node.put("x-kubernetes-action", operation.action());
            node.putObject("x-kubernetes-group-version-kind")
                    .put("group", operation.kind().group())
                    .put("version", operation.kind().version())
                    .put("kind", operation.kind().kind());
        }
    }

    private static void reference(ObjectNode schema, String definition) {
        schema.put("$ref", Schemas.REFERENCE_PREFIX + definition);
    }

    private static void pathParameters(ArrayNode parameters, String path, String kind) {
        if (path.contains("{name}"))
            parameter(parameters, "name", "path", "string")
                    .put("description", "name of the " + kind)
                    .put("required", true);
        if (path.contains("{namespace}"))
            parameter(parameters, "namespace", "path", "string")
                    .put("description", "object name and auth scope, such as for teams and projects")
                    .put("required", true);
    }

    private static void queries(ObjectNode operation, String action) {
        ArrayNode parameters = operation.putArray("parameters");
        for (Query query : QUERIES) {
            if (query.actions().contains(action)) parameter(parameters, query.name(), "query", query.type());
        }
        if (parameters.isEmpty()) operation.remove("parameters");
    }

    private static ObjectNode parameter(ArrayNode parameters, String name, String in, String type) {
        ObjectNode parameter = parameters.addObject().put("name", name).put("in", in);
        parameter.putObject("schema").put("type", type).put("uniqueItems", true);
        return parameter;
    }
}
