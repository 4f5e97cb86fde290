package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.protobuf.SwaggerMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The OpenAPI documents: version 3 with one document a group and version, version 2 with all in one. They are made when
 * they are asked for and kept until what they describe changes.
 */
public final class OpenApi {
    /** The form in which clients of Kubernetes read version 2. */
    public static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** One document as it goes over the wire; its bytes are shared and not to be changed. */
    public static final class Document {
        private final String mediaType;
        private final byte[] bytes;
        private final String hash;

        private Document(String mediaType, byte[] bytes, String hash) {
            this.mediaType = mediaType;
            this.bytes = bytes;
            this.hash = hash;
        }

        public String mediaType() {
            return mediaType;
        }

        public byte[] bytes() {
            return bytes;
        }

        /** What the ETag header quotes. */
        public String hash() {
            return hash;
        }
    }

    /** All that a group and version serves, and the hash of it. */
    private record Group(String path, List<ResourceType> types, String hash) {}

    /** Version 2 in one form, as it was when the catalog had this generation. */
    private record Cached(long generation, Document document) {}

    private static final String JSON = "application/json";

    private final LiveCatalog catalog;
    private final Map<String, Document> documents = new ConcurrentHashMap<>();
    private final Map<String, Cached> swagger = new ConcurrentHashMap<>();

    public OpenApi(LiveCatalog catalog) {
        this.catalog = catalog;
    }

    /** {@code /openapi/v3}: where the documents are. Their hashes are known without making them. */
    public ObjectNode index() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = root.putObject("paths");
        groups().forEach((path, group) ->
                paths.putObject(path).put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + group.hash()));
        return root;
    }

    /** {@code /openapi/v3/{path}}, with paths such as {@code api/v1} and {@code apis/apps/v1}. */
    public Optional<Document> groupVersion(String path) {
        Group group = groups().get(path);
        if (group == null) return Optional.empty();
        Document known = documents.get(path);
        if (known == null || !known.hash().equals(group.hash())) {
            known = new Document(JSON, bytes(document(group)), group.hash());
            documents.put(path, known);
        }
        return Optional.of(known);
    }

    /** {@code /openapi/v2}, as JSON. */
    public Document version2() {
        return swagger(JSON, OpenApi::bytes);
    }

    /** {@code /openapi/v2} in the form {@link #PROTOBUF}. */
    public Document version2Protobuf() {
        return swagger(PROTOBUF, SwaggerMessage::encode);
    }

    private Document swagger(String mediaType, Function<ObjectNode, byte[]> form) {
        long generation = catalog.generation();
        Cached known = swagger.get(mediaType);
        if (known == null || known.generation() != generation) {
            List<Group> all = List.copyOf(groups().values());
            byte[] bytes = form.apply(swagger(all));
            known = new Cached(generation, new Document(mediaType, bytes, hash(all.toString())));
            swagger.put(mediaType, known);
        }
        return known.document();
    }

    private ObjectNode swagger(List<Group> all) {
        ObjectNode components = JsonNodeFactory.instance.objectNode();
        List<Operations> operations = new ArrayList<>();
        for (Group group : all) {
            components.setAll(components(group));
            group.types().forEach(type -> operations.add(operations(type)));
        }
        return Swagger.document(operations, components);
    }

    private Map<String, Group> groups() {
        Map<String, List<ResourceType>> byPath = new TreeMap<>();
        for (ResourceType type : catalog.all()) {
            String path = Operations.root(type.group(), type.version()).substring(1);
            byPath.computeIfAbsent(path, _ -> new ArrayList<>()).add(type);
        }
        Map<String, Group> groups = new TreeMap<>();
        byPath.forEach((path, types) -> groups.put(path, new Group(path, types, hash(path, types))));
        return groups;
    }

    /** Built-in types never change while the server runs; custom ones do when their schema does. */
    private String hash(String path, List<ResourceType> types) {
        StringBuilder content = new StringBuilder("1.36.3 ").append(path);
        for (ResourceType type : types) {
            var custom = catalog.custom(type);
            content.append(' ').append(type.plural());
            if (custom != null) content.append(custom.fingerprint());
        }
        return hash(content.toString());
    }

    private static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-512").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(JsonNode document) {
        return document.toString().getBytes(StandardCharsets.UTF_8);
    }

    private ObjectNode document(Group group) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "1.36");
        ObjectNode paths = document.putObject("paths");
        group.types().forEach(type -> OpenApiPaths.add(paths, operations(type)));
        document.putObject("components").set("schemas", components(group));
        return document;
    }

    private Operations operations(ResourceType type) {
        String definition = definition(type);
        var patches = catalog.isCustom(type) ? OpenApiPaths.CUSTOM_PATCH_TYPES : OpenApiPaths.PATCH_TYPES;
        return new Operations(type, definition, definition + "List", patches);
    }

    private String definition(ResourceType type) {
        return catalog.isCustom(type)
                ? customDefinition(type)
                : BuiltInTypes.definition(type.group(), type.version(), type.kind());
    }

    /** {@code com.example.v1.Widget} of {@code Widget} in {@code example.com/v1}. */
    static String customDefinition(ResourceType type) {
        List<String> parts = List.of(type.group().split("[.]", -1));
        return String.join(".", parts.reversed()) + "." + type.version() + "." + type.kind();
    }

    /** The definitions of a group's types, and all that they refer to. */
    private ObjectNode components(Group group) {
        Map<String, JsonNode> found = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>();
        for (ResourceType type : group.types()) {
            var custom = catalog.custom(type);
            if (custom == null) {
                open.add(definition(type));
                open.add(definition(type) + "List");
            } else {
                String name = customDefinition(type);
                found.put(name, custom.published());
                found.put(name + "List", CustomDefinition.publishList(type, name));
                references(custom.published(), open);
                open.add(Schemas.LIST_META);
            }
            for (var operation : operations(type).all()) {
                open.add(operation.response());
                operation.body().ifPresent(open::add);
            }
        }
        while (!open.isEmpty()) {
            String name = open.pop();
            if (found.containsKey(name) || catalog.schemas().find(name).isEmpty()) continue;
            ObjectNode raw = catalog.schemas().raw(name);
            found.put(name, raw);
            references(raw, open);
        }
        ObjectNode schemas = JsonNodeFactory.instance.objectNode();
        found.forEach(schemas::set);
        return schemas;
    }

    private static void references(JsonNode schema, Deque<String> into) {
        for (String reference : new TreeSet<>(schema.findValuesAsText("$ref"))) {
            into.add(Schemas.definitionOf(reference));
        }
    }
}
