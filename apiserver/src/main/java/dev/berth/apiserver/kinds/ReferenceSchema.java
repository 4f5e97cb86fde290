package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reference to another schema, followed when first needed, so that schemas may refer to themselves. */
final class ReferenceSchema implements Schema {
    private final JsonNode wrapper;
    private final String definition;
    private final OpenApiSchema.MergeRules merge;
    private final Supplier<Schema> resolve;
    // Every thread that races here finds the same immutable schema.
    private @Nullable Schema target;

    ReferenceSchema(JsonNode wrapper, String definition, Supplier<Schema> resolve) {
        this.wrapper = wrapper;
        this.definition = definition;
        this.merge = OpenApiSchema.MergeRules.of(wrapper);
        this.resolve = resolve;
    }

    ReferenceSchema(String definition, Supplier<Schema> resolve) {
        this(MissingNode.getInstance(), definition, resolve);
    }

    /** The name of what is referred to, such as {@code io.k8s.api.core.v1.PodSpec}. */
    String definition() {
        return definition;
    }

    Schema target() {
        Schema found = target;
        if (found == null) {
            found = resolve.get();
            target = found;
        }
        return found;
    }

    @Override
    public Type type() {
        return target().type();
    }

    @Override
    public Map<String, Schema> properties() {
        return target().properties();
    }

    @Override
    public Optional<Schema> property(String name) {
        return target().property(name);
    }

    @Override
    public Optional<Schema> additionalProperties() {
        return target().additionalProperties();
    }

    @Override
    public Optional<Schema> items() {
        return target().items();
    }

    @Override
    public ListType listType() {
        return target().listType();
    }

    @Override
    public List<String> listMapKeys() {
        return target().listMapKeys();
    }

    @Override
    public boolean atomicMap() {
        return merge.atomicMap() || target().atomicMap();
    }

    @Override
    public Optional<String> patchMergeKey() {
        return merge.patchMergeKey().or(() -> target().patchMergeKey());
    }

    @Override
    public Set<String> patchStrategies() {
        return merge.patchStrategies().isEmpty() ? target().patchStrategies() : merge.patchStrategies();
    }

    @Override
    public boolean preservesUnknownFields() {
        return target().preservesUnknownFields();
    }

    @Override
    public boolean nullable() {
        return wrapper.path("nullable").asBoolean() || target().nullable();
    }

    @Override
    public Set<String> required() {
        return target().required();
    }

    @Override
    public Optional<JsonNode> defaultValue() {
        return Optional.ofNullable(wrapper.get("default")).or(() -> target().defaultValue());
    }

    @Override
    public String format() {
        return target().format();
    }

    @Override
    public JsonNode raw() {
        return target().raw();
    }
}
