package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.JsonPatch;
import dev.berth.apiserver.patch.MergePatch;
import dev.berth.apiserver.patch.StrategicMergePatch;
import dev.berth.apiserver.status.ApiException;
import java.io.IOException;

/**
 * A patch as it came in.
 *
 * @param force takes fields from other managers; only for server-side apply
 */
record PatchRequest(Kind kind, JsonNode body, boolean force) {
    private static final String ACCEPTED =
            "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml, application/apply-patch+cbor";

    enum Kind {
        JSON,
        MERGE,
        STRATEGIC,
        APPLY
    }

    static PatchRequest of(Exchange exchange) {
        Kind kind = switch (Bodies.mediaType(exchange.contentType())) {
            case "application/json-patch+json" -> Kind.JSON;
            case "application/merge-patch+json" -> Kind.MERGE;
            case "application/strategic-merge-patch+json" -> Kind.STRATEGIC;
            case "application/apply-patch+yaml" -> Kind.APPLY;
            default -> throw ApiException.unsupportedMediaType(ACCEPTED);
        };
        JsonNode body = kind == Kind.APPLY ? Bodies.yaml(exchange.body(), "patch") : json(exchange.body());
        return new PatchRequest(kind, body, exchange.query().flag("force"));
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.parse(body);
        } catch (IOException malformed) {
            throw ApiException.badRequest("error decoding patch: " + malformed.getMessage());
        }
    }

    /** The patched object; for all kinds of patch but server-side apply. */
    ObjectNode applyTo(ObjectNode live, ResourceType type) {
        return switch (kind) {
            case JSON -> JsonPatch.apply(live, body);
            case MERGE -> MergePatch.apply(live, body);
            case STRATEGIC -> {
                if (Traits.custom(type))
                    throw ApiException.unsupportedMediaType(
                            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, application/apply-patch+cbor");
                yield StrategicMergePatch.apply(live, body, type.schema());
            }
            case APPLY -> throw new IllegalStateException("server-side apply goes by the field manager");
        };
    }
}
