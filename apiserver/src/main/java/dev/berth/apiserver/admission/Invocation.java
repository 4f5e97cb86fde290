package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A webhook that is to be called for one write.
 *
 * @param shownAs the version of the resource that the webhook asked for
 */
record Invocation(Webhook hook, ResourceType shownAs, AdmissionAttributes attributes) {

    /** The {@code request} of an AdmissionReview without uid and objects: also what CEL conditions see of it. */
    ObjectNode request(@Nullable ObjectNode object) {
        var request = JsonNodeFactory.instance.objectNode();
        request.set("kind", kind(shownAs, object));
        request.set("resource", resource(shownAs));
        if (!attributes.subresource().isEmpty()) request.put("subResource", attributes.subresource());
        request.set("requestKind", kind(attributes.type(), object));
        request.set("requestResource", resource(attributes.type()));
        if (!attributes.subresource().isEmpty()) request.put("requestSubResource", attributes.subresource());
        if (!attributes.name().isEmpty()) request.put("name", attributes.name());
        String namespace = attributes.concerns("", "namespaces") ? attributes.name() : attributes.namespace();
        if (!namespace.isEmpty()) request.put("namespace", namespace);
        request.put("operation", attributes.operation().name());
        request.set("userInfo", userInfo());
        return request;
    }

    /** The AdmissionReview that is sent. */
    ObjectNode review(String version, String uid, @Nullable ObjectNode object) {
        var review = JsonNodeFactory.instance.objectNode();
        review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/" + version);
        ObjectNode request = review.putObject("request").put("uid", uid);
        request.setAll(request(object));
        request.set("object", shown(object));
        request.set("oldObject", shown(attributes.old()));
        request.put("dryRun", attributes.dryRun());
        request.set("options", attributes.options());
        return review;
    }

    /** The object in the version that the webhook asked for. */
    JsonNode shown(@Nullable ObjectNode object) {
        if (object == null) return JsonNodeFactory.instance.nullNode();
        if (shownAs.version().equals(attributes.type().version())) return object;
        return object.deepCopy().put("apiVersion", shownAs.apiVersion());
    }

    private ObjectNode userInfo() {
        User user = attributes.user();
        var info = JsonNodeFactory.instance.objectNode().put("username", user.name());
        if (!user.uid().isEmpty()) info.put("uid", user.uid());
        if (!user.groups().isEmpty()) user.groups().forEach(info.putArray("groups")::add);
        return info;
    }

    /** A subresource such as {@code binding} has a kind of its own, which only the object tells. */
    private ObjectNode kind(ResourceType type, @Nullable ObjectNode object) {
        String group = type.group();
        String version = type.version();
        String kind = type.kind();
        if (!attributes.subresource().isEmpty() && object != null && object.hasNonNull("kind")) {
            String apiVersion = object.path("apiVersion").asText();
            int slash = apiVersion.indexOf('/');
            group = slash < 0 ? "" : apiVersion.substring(0, slash);
            version = apiVersion.substring(slash + 1);
            kind = object.path("kind").asText();
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }

    private static ObjectNode resource(ResourceType type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", type.group())
                .put("version", type.version())
                .put("resource", type.plural());
    }
}
