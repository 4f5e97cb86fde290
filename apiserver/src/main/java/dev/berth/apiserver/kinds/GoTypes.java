package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;

/** The words in which kube-apiserver, a Go program, complains of a value of the wrong type. */
final class GoTypes {
    private GoTypes() {}

    /** {@code Container} for the schema of a container; empty for maps and scalars. */
    static String struct(Schema schema) {
        String definition = schema instanceof ReferenceSchema reference ? reference.definition() : "";
        return definition.substring(definition.lastIndexOf('.') + 1);
    }

    static String mistyped(Schema schema, JsonNode value, String struct, String path) {
        String format = schema.raw().path("format").asText();
        if (schema.type() == Schema.Type.INT_OR_STRING && FieldCheck.isQuantity(schema)) {
            return "quantities must match the regular expression '" + FieldCheck.QUANTITY + "'";
        }
        if (schema.type() == Schema.Type.STRING && value.isTextual() && format.equals("date-time")) {
            String fraction = struct(schema).equals("MicroTime") ? ".000000" : "";
            return "parsing time \"%s\" as \"2006-01-02T15:04:05%sZ07:00\": cannot parse \"%s\" as \"2006\""
                    .formatted(value.textValue(), fraction, value.textValue());
        }
        if (schema.type() == Schema.Type.STRING && value.isTextual() && format.equals("byte")) {
            return "illegal base64 data at input byte " + FieldCheck.illegalBase64(value.textValue());
        }
        return "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                .formatted(found(schema, value), struct, path, name(schema));
    }

    private static String found(Schema schema, JsonNode value) {
        if (value.isTextual()) return "string";
        if (value.isBoolean()) return "bool";
        if (value.isObject()) return "object";
        if (value.isArray()) return "array";
        return schema.type() == Schema.Type.INTEGER ? "number " + value.asText() : "number";
    }

    private static String name(Schema schema) {
        return switch (schema.type()) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> "float64";
            case INTEGER -> schema.raw().path("format").asText("int64");
            case INT_OR_STRING -> "int32";
            case ARRAY -> "[]" + schema.items().map(GoTypes::name).orElse("interface {}");
            case ANY -> "interface {}";
            case OBJECT ->
                schema.additionalProperties()
                        .map(values -> "map[string]" + name(values))
                        .orElseGet(() -> qualified(schema));
        };
    }

    /** {@code v1.PodSpec} of {@code io.k8s.api.core.v1.PodSpec}. */
    private static String qualified(Schema schema) {
        String definition = schema instanceof ReferenceSchema reference ? reference.definition() : "";
        int kind = definition.lastIndexOf('.');
        return kind < 0 ? "struct" : definition.substring(definition.lastIndexOf('.', kind - 1) + 1);
    }
}
