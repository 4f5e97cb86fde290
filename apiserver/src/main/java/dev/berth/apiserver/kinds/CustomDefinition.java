package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a CustomResourceDefinition declares.
 *
 * @param versions by name, the served ones only
 */
record CustomDefinition(
        String name, String group, Names names, boolean namespaced, Map<String, Version> versions, JsonNode spec) {
    private static final Set<String> VERBS =
            BuiltInTypes.ordered("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    record Names(
            String plural,
            String singular,
            String kind,
            String listKind,
            List<String> shortNames,
            List<String> categories) {
        static Names of(JsonNode names) {
            String kind = names.path("kind").asText();
            return new Names(
                    names.path("plural").asText(),
                    names.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                    kind,
                    names.path("listKind").asText(kind + "List"),
                    List.copyOf(OpenApiSchema.strings(names.path("shortNames"))),
                    List.copyOf(OpenApiSchema.strings(names.path("categories"))));
        }
    }

    /** One column of a table, as the definition asks for it. */
    record Column(String name, String type, String format, String description, int priority, String jsonPath) {}

    /**
     * One served version.
     *
     * @param published the schema as OpenAPI shows it, with the fields that every object has
     */
    record Version(
            String name,
            ObjectNode published,
            Schema schema,
            Set<String> subresources,
            List<Column> columns,
            JsonNode scale,
            String fingerprint,
            boolean hasRules) {}

    static CustomDefinition of(ObjectNode definition, Schemas schemas) {
        JsonNode spec = definition.path("spec");
        String group = spec.path("group").asText();
        Names names = Names.of(spec.path("names"));
        Map<String, Version> versions = new LinkedHashMap<>();
        for (JsonNode version : spec.path("versions")) {
            if (version.path("served").asBoolean()) {
                versions.put(version.path("name").asText(), version(version, group, names.kind(), schemas));
            }
        }
        return new CustomDefinition(
                definition.path("metadata").path("name").asText(),
                group,
                names,
                !spec.path("scope").asText().equals("Cluster"),
                versions,
                spec);
    }

    private static Version version(JsonNode version, String group, String kind, Schemas schemas) {
        String name = version.path("name").asText();
        ObjectNode published = publish(version.path("schema").path("openAPIV3Schema"), group, name, kind);
        Set<String> subresources = new LinkedHashSet<>();
        if (version.path("subresources").has("status")) subresources.add("status");
        if (version.path("subresources").has("scale")) subresources.add("scale");
        List<Column> columns = new ArrayList<>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            columns.add(new Column(
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("format").asText(),
                    column.path("description").asText(),
                    column.path("priority").asInt(),
                    column.path("jsonPath").asText()));
        }
        return new Version(
                name,
                published,
                OpenApiSchema.structural(published, schemas::named),
                subresources,
                List.copyOf(columns),
                version.path("subresources").path("scale"),
                published.toString() + subresources,
                published.findValue("x-kubernetes-validations") != null);
    }

    /** A definition may leave out what every object has, and may not change it. */
    private static ObjectNode publish(JsonNode declared, String group, String version, String kind) {
        ObjectNode published = declared instanceof ObjectNode object
                ? object.deepCopy()
                : JsonNodeFactory.instance
                        .objectNode()
                        .put("type", "object")
                        .put("x-kubernetes-preserve-unknown-fields", true);
        ObjectNode properties = published.withObjectProperty("properties");
        properties
                .putObject("apiVersion")
                .put("description", ObjectFields.API_VERSION)
                .put("type", "string");
        properties.putObject("kind").put("description", ObjectFields.KIND).put("type", "string");
        ObjectNode metadata = properties.putObject("metadata");
        metadata.put("description", ObjectFields.METADATA);
        metadata.putArray("allOf").addObject().put("$ref", Schemas.REFERENCE_PREFIX + Schemas.OBJECT_META);
        published
                .putArray("x-kubernetes-group-version-kind")
                .addObject()
                .put("group", group)
                .put("kind", kind)
                .put("version", version);
        return published;
    }

    /** The definition of a list of this type's objects. */
    static ObjectNode publishList(ResourceType type, String definition) {
        ObjectNode list = JsonNodeFactory.instance
                .objectNode()
                .put("description", type.listKind() + " is a list of " + type.kind())
                .put("type", "object");
        list.putArray("required").add("items");
        ObjectNode properties = list.putObject("properties");
        properties
                .putObject("apiVersion")
                .put("description", ObjectFields.API_VERSION)
                .put("type", "string");
        ObjectNode items = properties.putObject("items");
        items.put(
                        "description",
                        "List of " + type.plural()
                                + ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md")
                .put("type", "array");
        items.putObject("items").put("$ref", Schemas.REFERENCE_PREFIX + definition);
        properties.putObject("kind").put("description", ObjectFields.KIND).put("type", "string");
        ObjectNode metadata = properties.putObject("metadata");
        metadata.put("description", ObjectFields.LIST_METADATA);
        metadata.putArray("allOf").addObject().put("$ref", Schemas.REFERENCE_PREFIX + Schemas.LIST_META);
        list.putArray("x-kubernetes-group-version-kind")
                .addObject()
                .put("group", type.group())
                .put("kind", type.listKind())
                .put("version", type.version());
        return list;
    }

    List<ResourceType> types() {
        return versions.values().stream()
                .map(version -> new ResourceType(
                        group,
                        version.name(),
                        names.kind(),
                        names.plural(),
                        names.singular(),
                        names.shortNames(),
                        names.categories(),
                        namespaced,
                        VERBS,
                        version.subresources(),
                        version.schema()))
                .toList();
    }
}
