package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Decoder;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.patch.JsonPatch;
import dev.berth.apiserver.patch.MergePatch;
import dev.berth.apiserver.patch.StrategicMergePatch;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import java.io.IOException;
import java.util.List;

/** A patch as it came in. */
final class PatchRequest {
    enum Kind {
        JSON,
        MERGE,
        STRATEGIC,
        APPLY
    }

    private final Kind kind;
    private final byte[] bytes;
    private final JsonNode body;
    private final boolean force;

    private PatchRequest(Kind kind, byte[] bytes, JsonNode body, boolean force) {
        this.kind = kind;
        this.bytes = bytes;
        this.body = body;
        this.force = force;
    }

    static PatchRequest of(Exchange exchange, ResourceType type) {
        Kind kind = switch (Exchange.mediaType(exchange.contentType())) {
            case "application/json-patch+json" -> Kind.JSON;
            case "application/merge-patch+json" -> Kind.MERGE;
            case "application/strategic-merge-patch+json" -> Kind.STRATEGIC;
            case "application/apply-patch+yaml" -> Kind.APPLY;
            default -> throw unsupported();
        };
        if (kind == Kind.STRATEGIC && Traits.custom(type)) {
            throw ApiException.unsupportedMediaType(
                    "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
        }
        if (kind == Kind.APPLY && exchange.query().text("fieldManager").isEmpty()) throw FieldManager.missingName();
        if (kind != Kind.APPLY && exchange.query().has("force")) {
            throw ApiException.invalidOptions(
                    "PatchOptions", List.of(FieldError.forbidden("force", "may not be specified for non-apply patch")));
        }
        byte[] bytes = exchange.body();
        JsonNode body = kind == Kind.APPLY ? MissingNode.getInstance() : json(bytes);
        return new PatchRequest(kind, bytes, body, exchange.query().flag("force"));
    }

    private static ApiException unsupported() {
        return new ApiException(
                415, "UnsupportedMediaType", "415: Unsupported Media Type", JsonNodeFactory.instance.objectNode());
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.parse(body);
        } catch (IOException malformed) {
            String message = String.valueOf(malformed.getMessage());
            boolean cut = message.contains("end-of-input") || message.contains("No content");
            throw ApiException.badRequest("error decoding patch: "
                    + (cut
                            ? "unexpected end of JSON input"
                            : message.lines().findFirst().orElse("")));
        }
    }

    Kind kind() {
        return kind;
    }

    /** Takes fields from other managers; only for server-side apply. */
    boolean force() {
        return force;
    }

    /** The object that server-side apply is given. */
    ObjectNode applied(Decoder decoder, ResourceType type) {
        return decoder.applied(bytes, type);
    }

    /** A patch of the {@code scale} subresource works on the Scale, not on the object behind it. */
    ObjectNode applyToScale(ObjectNode scale) {
        return switch (kind) {
            case JSON -> JsonPatch.apply(scale, body);
            case MERGE, STRATEGIC -> MergePatch.apply(scale, body);
            case APPLY -> throw ApiException.notImplemented("server-side apply of a scale");
        };
    }

    /** The patched object; for all kinds of patch but server-side apply. */
    ObjectNode applyTo(ObjectNode live, ResourceType type, Decoder decoder, Call call) {
        ObjectNode next = switch (kind) {
            case JSON -> JsonPatch.apply(live, body);
            case MERGE -> MergePatch.apply(live, body);
            case STRATEGIC -> StrategicMergePatch.apply(live, body, type.schema());
            case APPLY -> throw new IllegalStateException("server-side apply goes by the field manager");
        };
        List<String> duplicates = kind == Kind.JSON ? List.of() : decoder.duplicates(bytes);
        return decoder.patched(next, type, duplicates).enforce(call.strictness(), call.warnings());
    }
}
