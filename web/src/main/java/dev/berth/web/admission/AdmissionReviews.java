package dev.berth.web.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.web.admission.AdmissionRequest.Kind;
import dev.berth.web.admission.AdmissionRequest.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/** AdmissionReview v1 and v1beta1 as bytes. What Kubernetes always sends may be left out by people who try things. */
public final class AdmissionReviews {
    static final String V1 = "admission.k8s.io/v1";

    private static final Set<String> VERSIONS = Set.of(V1, "admission.k8s.io/v1beta1");
    private static final String KIND = "AdmissionReview";
    private static final ObjectMapper JSON = new ObjectMapper();

    private AdmissionReviews() {}

    /** @throws MalformedReviewException saying what is wrong with it */
    public static AdmissionRequest decode(byte[] body) {
        var review = parse(body);
        var kind = text(review, "kind");
        var request = review.path("request");
        var uid = text(request, "uid");
        if (!kind.equals(Optional.of(KIND))) {
            throw new MalformedReviewException(
                    "the body is not an AdmissionReview: its kind is " + kind.orElse("missing"), kind, uid);
        }
        var version = text(review, "apiVersion").orElse(V1);
        if (!VERSIONS.contains(version)) {
            throw new MalformedReviewException(
                    "the AdmissionReview's apiVersion is " + version + "; understood are " + V1
                            + " and admission.k8s.io/v1beta1",
                    kind,
                    uid);
        }
        if (!(request instanceof ObjectNode)) {
            throw new MalformedReviewException("the AdmissionReview holds no request", kind, uid);
        }
        if (uid.isEmpty() || uid.get().isEmpty()) {
            throw new MalformedReviewException("the AdmissionReview's request has no uid", kind, Optional.empty());
        }
        return request(version, uid.get(), request);
    }

    private static AdmissionRequest request(String version, String uid, JsonNode request) {
        return new AdmissionRequest(
                version,
                uid,
                new Kind(
                        string(request.path("kind"), "group"),
                        string(request.path("kind"), "version"),
                        string(request.path("kind"), "kind")),
                string(request, "subResource"),
                string(request, "namespace"),
                string(request, "name"),
                operation(request, uid),
                request.path("dryRun").booleanValue(),
                object(request, uid));
    }

    /** The reply in the version that the request came in. */
    public static byte[] encode(AdmissionRequest request, AdmissionReply reply) {
        return encode(request.apiVersion(), Optional.of(request.uid()), reply);
    }

    /** An answer to something that could not be understood, for doors that must answer all the same. */
    static byte[] encode(MalformedReviewException malformed, AdmissionReply reply) {
        return encode(V1, malformed.uid(), reply);
    }

    private static byte[] encode(String version, Optional<String> uid, AdmissionReply reply) {
        var review = JSON.createObjectNode().put("apiVersion", version).put("kind", KIND);
        var response = review.putObject("response");
        response.set("uid", uid.<JsonNode>map(response::textNode).orElseGet(response::nullNode));
        response.put("allowed", reply.allowed());
        reply.status()
                .ifPresent(status ->
                        response.putObject("status").put("code", status.code()).put("message", status.message()));
        if (!reply.patch().isEmpty()) {
            response.put("patchType", "JSONPatch")
                    .put("patch", Base64.getEncoder().encodeToString(bytes(reply.patch())));
        }
        if (!reply.warnings().isEmpty()) {
            var warnings = response.putArray("warnings");
            reply.warnings().forEach(warnings::add);
        }
        return bytes(review);
    }

    private static JsonNode parse(byte[] body) {
        if (new String(body, StandardCharsets.UTF_8).isBlank()) {
            throw MalformedReviewException.nothing();
        }
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw MalformedReviewException.notJson("the body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw MalformedReviewException.notJson("the body is not JSON");
        }
    }

    private static Operation operation(JsonNode request, String uid) {
        var name = text(request, "operation").orElse(Operation.CREATE.name());
        for (var operation : Operation.values()) {
            if (operation.name().equals(name)) {
                return operation;
            }
        }
        throw new MalformedReviewException(
                "the request's operation " + name + " is none of CREATE, UPDATE, DELETE and CONNECT",
                Optional.of(KIND),
                Optional.of(uid));
    }

    private static Optional<ObjectNode> object(JsonNode request, String uid) {
        return switch (request.path("object")) {
            case ObjectNode object -> Optional.of(object);
            case JsonNode none when none.isMissingNode() || none.isNull() -> Optional.empty();
            default ->
                throw new MalformedReviewException(
                        "the request's object is not an object", Optional.of(KIND), Optional.of(uid));
        };
    }

    private static Optional<String> text(JsonNode node, String field) {
        var value = node.path(field);
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    private static String string(JsonNode node, String field) {
        return text(node, field).orElse("");
    }

    private static byte[] bytes(JsonNode node) {
        try {
            return JSON.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree could not be written", e);
        }
    }
}
