package dev.berth.apiserver.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Request bodies, from JSON or YAML. */
final class Bodies {
    static final String ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private Bodies() {}

    /** The media type without its parameters, in lower case. */
    static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        String bare = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return bare.strip().toLowerCase(java.util.Locale.ROOT);
    }

    /** An object of the type that the path names. */
    static ObjectNode object(byte[] body, String contentType, ResourceType type) {
        return object(body, contentType, type.apiVersion(), type.kind());
    }

    static ObjectNode object(byte[] body, String contentType, String apiVersion, String kind) {
        JsonNode tree = tree(body, contentType, kind);
        if (!(tree instanceof ObjectNode object)) {
            throw unrecognized(
                    kind,
                    "couldn't get version/kind; json parse error: json: cannot unmarshal %s into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }"
                            .formatted(goType(tree)));
        }
        String ownVersion = object.path("apiVersion").asText("");
        String ownKind = object.path("kind").asText("");
        if (ownKind.isEmpty()) object.put("kind", kind);
        if (ownVersion.isEmpty()) object.put("apiVersion", apiVersion);
        if (!ownKind.isEmpty() && !ownKind.equals(kind)) {
            throw ApiException.badRequest(
                    "%s in version \"%s\" cannot be handled as a %s: no kind \"%s\" is registered for version \"%s\""
                            .formatted(
                                    ownKind,
                                    version(ownVersion, apiVersion),
                                    kind,
                                    ownKind,
                                    ownVersion.isEmpty() ? apiVersion : ownVersion));
        }
        if (!ownVersion.isEmpty() && !ownVersion.equals(apiVersion)) {
            throw ApiException.badRequest(
                    "the API version in the data (%s) does not match the expected API version (%s)"
                            .formatted(ownVersion, apiVersion));
        }
        return object;
    }

    private static String version(String own, String expected) {
        String full = own.isEmpty() ? expected : own;
        return full.substring(full.indexOf('/') + 1);
    }

    /** Any JSON or YAML value. */
    static JsonNode tree(byte[] body, String contentType, String kind) {
        return switch (mediaType(contentType)) {
            case "application/json", "" -> json(body, kind);
            case "application/yaml" -> yaml(body, kind);
            default -> throw ApiException.unsupportedMediaType(ACCEPTED);
        };
    }

    private static JsonNode json(byte[] body, String kind) {
        try {
            return Json.parse(body);
        } catch (IOException malformed) {
            String text = new String(body, StandardCharsets.UTF_8);
            throw unrecognized(
                    kind,
                    "couldn't get version/kind; json parse error: %s (%s)"
                            .formatted(goMessage(malformed), shorten(text)));
        }
    }

    static JsonNode yaml(byte[] body, String kind) {
        try {
            return YAML.readTree(body);
        } catch (IOException malformed) {
            throw unrecognized(kind, "yaml: " + firstLine(malformed));
        }
    }

    static byte[] toYaml(JsonNode tree) {
        try {
            return YAML.writeValueAsBytes(tree);
        } catch (JsonProcessingException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    private static String goMessage(IOException malformed) {
        String message = firstLine(malformed);
        return message.contains("end-of-input") || message.contains("No content")
                ? "unexpected end of JSON input"
                : message;
    }

    private static String firstLine(IOException malformed) {
        if (malformed instanceof JsonProcessingException processing) return processing.getOriginalMessage();
        return String.valueOf(malformed.getMessage());
    }

    private static String shorten(String text) {
        return text.length() > 64 ? text.substring(0, 64) : text;
    }

    private static String goType(JsonNode tree) {
        return switch (tree.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "bool";
            case NUMBER -> "number";
            default -> "string";
        };
    }

    private static ApiException unrecognized(String kind, String why) {
        return ApiException.badRequest(
                "the object provided is unrecognized (must be of type %s): %s".formatted(kind, why));
    }
}
