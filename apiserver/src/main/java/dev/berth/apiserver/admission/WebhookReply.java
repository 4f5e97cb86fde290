package dev.berth.apiserver.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/** A webhook's answer, checked as Kubernetes checks it. */
record WebhookReply(boolean allowed, ArrayNode patch, JsonNode result, List<String> warnings) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static WebhookReply read(String body, String version, String uid, boolean mutating) {
        JsonNode review = review(body, version);
        JsonNode response = review.path("response");
        if (!response.isObject()) throw invalid("webhook response was absent");
        boolean v1 = version.equals("v1");
        if (v1) checkIdentity(review, response, uid);
        String patch = response.path("patch").asText("");
        boolean typed = response.hasNonNull("patchType");
        String type = v1 ? response.path("patchType").asText("") : "JSONPatch";
        if (v1) checkPatch(mutating, patch, typed, type);
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        if (response.path("allowed").asBoolean() && mutating && !patch.isEmpty()) {
            if (!type.equals("JSONPatch")) throw new WebhookFailure("unsupported patch type \"" + type + "\"");
            operations = operations(patch);
        }
        return new WebhookReply(
                response.path("allowed").asBoolean(),
                operations,
                response.path("status"),
                WebhookRule.texts(response.path("warnings")));
    }

    private static JsonNode review(String body, String version) {
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (JsonProcessingException broken) {
            throw new WebhookFailure("failed to call webhook: couldn't get version/kind; json parse error: "
                    + broken.getOriginalMessage());
        }
        if (!review.isObject()) {
            throw new WebhookFailure(
                    "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal "
                            + (review.isArray() ? "array" : "string")
                            + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
                            + " Kind string \"json:\\\"kind,omitempty\\\"\" }");
        }
        String apiVersion = review.path("apiVersion").asText("admission.k8s.io/" + version);
        String kind = review.path("kind").asText("AdmissionReview");
        if (!kind.equals("AdmissionReview") || !apiVersion.startsWith("admission.k8s.io/")) {
            throw new WebhookFailure(
                    "failed to call webhook: no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:111\""
                            .formatted(kind, apiVersion));
        }
        String got = apiVersion.substring("admission.k8s.io/".length());
        if (!got.equals(version)) {
            throw new WebhookFailure(
                    "failed to call webhook: converting (%s.AdmissionReview) to (%s.AdmissionReview): unknown conversion"
                            .formatted(got, version));
        }
        return review;
    }

    private static void checkIdentity(JsonNode review, JsonNode response, String uid) {
        String got = response.path("uid").asText("");
        if (!got.equals(uid)) throw invalid("expected response.uid=\"%s\", got \"%s\"".formatted(uid, got));
        if (!review.hasNonNull("apiVersion") || !review.hasNonNull("kind")) {
            String apiVersion = review.path("apiVersion").asText("/");
            throw invalid("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got %s, Kind=%s"
                    .formatted(apiVersion, review.path("kind").asText("")));
        }
    }

    private static void checkPatch(boolean mutating, String patch, boolean typed, String type) {
        if (!mutating) {
            if (!patch.isEmpty()) throw invalid("validating webhook may not return response.patch");
            if (typed) throw invalid("validating webhook may not return response.patchType");
            return;
        }
        if (!patch.isEmpty() && !typed) throw invalid("webhook returned response.patch but not response.patchType");
        if (patch.isEmpty() && typed) throw invalid("webhook returned response.patchType but not response.patch");
        if (typed && type.isEmpty()) throw invalid("webhook returned invalid response.patchType of \"\"");
    }

    private static ArrayNode operations(String patch) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(patch);
        } catch (IllegalArgumentException _) {
            throw new WebhookFailure("failed to call webhook: illegal base64 data in response.patch");
        }
        try {
            if (JSON.readTree(bytes) instanceof ArrayNode operations) return operations;
        } catch (IOException _) {
            throw undecodable("invalid character in patch");
        }
        throw undecodable("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
    }

    private static WebhookFailure undecodable(String why) {
        return new WebhookFailure("received undecodable patch in webhook response: " + why);
    }

    private static WebhookFailure invalid(String why) {
        return new WebhookFailure("received invalid webhook response: " + why);
    }

    /** The Status that the client gets when the webhook said no. */
    ApiException refusal(String webhook) {
        String denied = "admission webhook \"%s\" denied the request".formatted(webhook);
        String message = result.path("message").asText("");
        String reason = result.path("reason").asText("");
        String text;
        if (!message.isEmpty()) text = denied + ": " + message;
        else if (!reason.isEmpty()) text = denied + ": " + reason;
        else text = denied + " without explanation";
        ObjectNode details = result.get("details") instanceof ObjectNode given ? given : null;
        return new ApiException(Math.max(400, result.path("code").asInt()), reason, text, details);
    }
}
