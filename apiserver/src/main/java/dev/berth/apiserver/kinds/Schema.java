package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The shape of a value: what OpenAPI says of it, with the Kubernetes extensions that patches need. References are
 * resolved on the way.
 */
public interface Schema {
    enum Type {
        OBJECT,
        ARRAY,
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        /** An integer or a string: ports, quantities. */
        INT_OR_STRING,
        /** Anything: no type is given. */
        ANY
    }

    /** How server-side apply merges a list. */
    enum ListType {
        ATOMIC,
        SET,
        MAP
    }

    Type type();

    /** The declared properties by name; empty for maps and scalars. */
    Map<String, Schema> properties();

    /** The schema of one property, declared or by {@code additionalProperties}; empty when the field is not known. */
    Optional<Schema> property(String name);

    /** The values' schema of a map ({@code additionalProperties}). */
    Optional<Schema> additionalProperties();

    /** The items' schema of an array. */
    Optional<Schema> items();

    ListType listType();

    /** The keys of a list that is a map, such as {@code containerPort} and {@code protocol}. */
    List<String> listMapKeys();

    /** True when server-side apply treats this object as one value ({@code x-kubernetes-map-type: atomic}). */
    boolean atomicMap();

    /** The key by which a strategic merge patch merges this list; empty when it replaces. */
    Optional<String> patchMergeKey();

    /** {@code merge}, {@code retainKeys}, {@code replace}. */
    Set<String> patchStrategies();

    /** True when fields that are not declared here belong here. */
    boolean preservesUnknownFields();

    boolean nullable();

    Set<String> required();

    Optional<JsonNode> defaultValue();

    /** {@code int32}, {@code date-time}, {@code byte} and the like; empty when none is given. */
    default String format() {
        return raw().path("format").asText();
    }

    /** The schema as OpenAPI v3 JSON, for rules that need more of it: enums, patterns, bounds, CEL validations. */
    JsonNode raw();
}
