package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A schema that is written out; its children are built with it, what they refer to only when it is needed. */
final class OpenApiSchema implements Schema {
    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";

    /** Anything at all. */
    static final Schema ANY = simple(JsonNodeFactory.instance.objectNode().put(PRESERVE, true));

    static final Schema STRING = simple(JsonNodeFactory.instance.objectNode().put("type", "string"));

    private final JsonNode raw;
    private final Type type;
    private final String format;
    private final Map<String, Schema> properties;
    private final Optional<Schema> additionalProperties;
    private final Optional<Schema> items;
    private final boolean preservesUnknownFields;
    private final Set<String> required;
    private final MergeRules merge;

    private OpenApiSchema(JsonNode raw, Function<String, Schema> library, boolean builtIn) {
        this.raw = raw;
        this.type = typeOf(raw);
        this.format = raw.path("format").asText();
        Map<String, Schema> children = new LinkedHashMap<>();
        raw.path("properties")
                .properties()
                .forEach(each -> children.put(each.getKey(), of(each.getValue(), library, builtIn)));
        if (raw.path("x-kubernetes-embedded-resource").asBoolean()) addObjectFields(children, library);
        this.properties = Collections.unmodifiableMap(children);
        this.additionalProperties = additional(raw.path("additionalProperties"), library, builtIn);
        this.items = raw.has("items") ? Optional.of(of(raw.get("items"), library, builtIn)) : Optional.empty();
        this.preservesUnknownFields =
                raw.path(PRESERVE).asBoolean() || (builtIn && isOpen(type, properties, additionalProperties));
        this.required = strings(raw.path("required"));
        this.merge = MergeRules.of(raw);
    }

    private static Schema simple(JsonNode raw) {
        return new OpenApiSchema(raw, _ -> ANY, false);
    }

    /** A definition of Kubernetes itself, where an object without properties (RawExtension) holds anything. */
    static Schema builtIn(JsonNode raw, Function<String, Schema> library) {
        return of(raw, library, true);
    }

    /** A structural schema of a custom resource definition. */
    static Schema structural(JsonNode raw, Function<String, Schema> library) {
        return of(raw, library, false);
    }

    private static Schema of(JsonNode raw, Function<String, Schema> library, boolean builtIn) {
        String reference = referenceOf(raw);
        if (reference.isEmpty()) return new OpenApiSchema(raw, library, builtIn);
        String definition = Schemas.definitionOf(reference);
        return new ReferenceSchema(raw, definition, () -> library.apply(definition));
    }

    /** Kubernetes wraps a reference in {@code allOf} when it has something to say beside it, such as a default. */
    private static String referenceOf(JsonNode raw) {
        if (raw.has("$ref")) return raw.get("$ref").asText();
        JsonNode all = raw.path("allOf");
        return all.size() == 1 ? all.get(0).path("$ref").asText("") : "";
    }

    private static Optional<Schema> additional(JsonNode additional, Function<String, Schema> library, boolean builtIn) {
        if (additional instanceof ObjectNode) return Optional.of(of(additional, library, builtIn));
        return additional.asBoolean() ? Optional.of(ANY) : Optional.empty();
    }

    private static void addObjectFields(Map<String, Schema> children, Function<String, Schema> library) {
        children.putIfAbsent("apiVersion", STRING);
        children.putIfAbsent("kind", STRING);
        children.put("metadata", new ReferenceSchema(Schemas.OBJECT_META, () -> library.apply(Schemas.OBJECT_META)));
    }

    private static boolean isOpen(Type type, Map<String, Schema> properties, Optional<Schema> additional) {
        return type == Type.ANY || (type == Type.OBJECT && properties.isEmpty() && additional.isEmpty());
    }

    private static Type typeOf(JsonNode raw) {
        if (raw.path("x-kubernetes-int-or-string").asBoolean()
                || raw.path("format").asText().equals("int-or-string")) return Type.INT_OR_STRING;
        return switch (raw.path("type").asText()) {
            case "object" -> Type.OBJECT;
            case "array" -> Type.ARRAY;
            case "string" -> Type.STRING;
            case "integer" -> Type.INTEGER;
            case "number" -> Type.NUMBER;
            case "boolean" -> Type.BOOLEAN;
            default -> isQuantity(raw) ? Type.INT_OR_STRING : Type.ANY;
        };
    }

    private static boolean isQuantity(JsonNode raw) {
        JsonNode alternatives = raw.path("oneOf");
        return alternatives.size() == 2
                && alternatives.get(0).path("type").asText().equals("string")
                && alternatives.get(1).path("type").asText().equals("number");
    }

    static Set<String> strings(JsonNode array) {
        Set<String> all = new LinkedHashSet<>();
        array.forEach(each -> all.add(each.asText()));
        return Collections.unmodifiableSet(all);
    }

    /** What server-side apply and strategic merge patches read from a schema. */
    record MergeRules(
            ListType listType,
            List<String> listMapKeys,
            boolean atomicMap,
            Optional<String> patchMergeKey,
            Set<String> patchStrategies) {

        private static final MergeRules NONE =
                new MergeRules(ListType.ATOMIC, List.of(), false, Optional.empty(), Set.of());

        static MergeRules of(JsonNode raw) {
            JsonNode listType = raw.path("x-kubernetes-list-type");
            JsonNode mapType = raw.path("x-kubernetes-map-type");
            JsonNode strategy = raw.path("x-kubernetes-patch-strategy");
            if (listType.isMissingNode() && mapType.isMissingNode() && strategy.isMissingNode()) return NONE;
            return new MergeRules(
                    switch (listType.asText()) {
                        case "set" -> ListType.SET;
                        case "map" -> ListType.MAP;
                        default -> ListType.ATOMIC;
                    },
                    new ArrayList<>(strings(raw.path("x-kubernetes-list-map-keys"))),
                    mapType.asText().equals("atomic"),
                    Optional.of(raw.path("x-kubernetes-patch-merge-key").asText())
                            .filter(key -> !key.isEmpty()),
                    strategy.isMissingNode()
                            ? Set.of()
                            : Set.of(strategy.asText().split(",")));
        }

        MergeRules {
            listMapKeys = List.copyOf(listMapKeys);
        }
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public Map<String, Schema> properties() {
        return properties;
    }

    @Override
    public Optional<Schema> property(String name) {
        Schema declared = properties.get(name);
        return declared == null ? additionalProperties : Optional.of(declared);
    }

    @Override
    public Optional<Schema> additionalProperties() {
        return additionalProperties;
    }

    @Override
    public Optional<Schema> items() {
        return items;
    }

    @Override
    public ListType listType() {
        return merge.listType();
    }

    @Override
    public List<String> listMapKeys() {
        return merge.listMapKeys();
    }

    @Override
    public boolean atomicMap() {
        return merge.atomicMap();
    }

    @Override
    public Optional<String> patchMergeKey() {
        return merge.patchMergeKey();
    }

    @Override
    public Set<String> patchStrategies() {
        return merge.patchStrategies();
    }

    @Override
    public boolean preservesUnknownFields() {
        return preservesUnknownFields;
    }

    @Override
    public boolean nullable() {
        return raw.path("nullable").asBoolean();
    }

    @Override
    public Set<String> required() {
        return required;
    }

    @Override
    public Optional<JsonNode> defaultValue() {
        return Optional.ofNullable(raw.get("default"));
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public JsonNode raw() {
        return raw;
    }
}
