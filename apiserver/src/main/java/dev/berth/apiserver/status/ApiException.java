package dev.berth.apiserver.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A request that fails the way Kubernetes lets it fail: carries the Status object that the client gets. */
public final class ApiException extends RuntimeException {
    private final int code;
    private final String reason;
    private final @Nullable ObjectNode details;
    private final String continueToken;

    public ApiException(int code, String reason, String message, @Nullable ObjectNode details) {
        this(code, reason, message, details, "");
    }

    private ApiException(int code, String reason, String message, @Nullable ObjectNode details, String continueToken) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.details = details;
        this.continueToken = continueToken;
    }

    public static ApiException notFound(ResourceType type, String name) {
        return named(404, "NotFound", "%s \"%s\" not found".formatted(type.qualifiedPlural(), name), type, name);
    }

    public static ApiException alreadyExists(ResourceType type, String name) {
        return named(
                409, "AlreadyExists", "%s \"%s\" already exists".formatted(type.qualifiedPlural(), name), type, name);
    }

    public static ApiException conflict(ResourceType type, String name, String why) {
        return named(
                409,
                "Conflict",
                "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type.qualifiedPlural(), name, why),
                type,
                name);
    }

    /** The 409 that optimistic locking gives. */
    public static ApiException modified(ResourceType type, String name) {
        return conflict(
                type,
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    public static ApiException invalid(ResourceType type, String name, List<FieldError> errors) {
        var details = JsonNodeFactory.instance.objectNode();
        if (!name.isEmpty()) details.put("name", name);
        // The two groups of events share the first one's rules, and its name.
        boolean event = type.group().equals("events.k8s.io");
        if (!type.group().isEmpty() && !event) details.put("group", type.group());
        details.put("kind", type.kind());
        var causes = details.putArray("causes");
        for (FieldError error : errors) causes.add(error.toCause());
        return new ApiException(
                422,
                "Invalid",
                "%s \"%s\" is invalid: %s"
                        .formatted(event ? type.kind() : type.qualifiedKind(), name, FieldError.sentence(errors)),
                details);
    }

    /** The same for a kind that is no resource of its own. */
    public static ApiException invalid(String group, String kind, String name, List<FieldError> errors) {
        var details = JsonNodeFactory.instance.objectNode();
        details.put("name", name).put("group", group).put("kind", kind);
        var causes = details.putArray("causes");
        for (FieldError error : errors) causes.add(error.toCause());
        return new ApiException(
                422,
                "Invalid",
                "%s.%s \"%s\" is invalid: %s".formatted(kind, group, name, FieldError.sentence(errors)),
                details);
    }

    public static ApiException badRequest(String message) {
        return new ApiException(400, "BadRequest", message, null);
    }

    public static ApiException forbidden(ResourceType type, String name, String why) {
        String what = name.isEmpty() ? type.qualifiedPlural() : type.qualifiedPlural() + " \"" + name + "\"";
        return named(403, "Forbidden", what + " is forbidden: " + why, type, name);
    }

    public static ApiException expired(String message) {
        return new ApiException(410, "Expired", message, null);
    }

    /**
     * The answer to a continue token whose snapshot is gone; the new token goes on from there with what is there now.
     */
    public static ApiException expiredContinue(String token) {
        return new ApiException(
                410,
                "Expired",
                "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
                null,
                token);
    }

    /** A path that names no resource. */
    public static ApiException noResource() {
        return new ApiException(
                404,
                "NotFound",
                "the server could not find the requested resource",
                JsonNodeFactory.instance.objectNode());
    }

    public static ApiException methodNotAllowed() {
        return new ApiException(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                JsonNodeFactory.instance.objectNode());
    }

    public static ApiException unsupportedMediaType(String accepted) {
        return new ApiException(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: " + accepted,
                null);
    }

    public static ApiException notAcceptable(String accepted) {
        return new ApiException(406, "NotAcceptable", "only the following media types are accepted: " + accepted, null);
    }

    /** A media type that no address here speaks. */
    public static ApiException notSpoken() {
        return new ApiException(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
                JsonNodeFactory.instance.objectNode());
    }

    /** A resource version that this server has not reached. */
    public static ApiException tooLarge(long wanted, long current) {
        var details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        return new ApiException(
                504,
                "Timeout",
                "Timeout: Too large resource version: %d, current: %d".formatted(wanted, current),
                details);
    }

    /** Options of a request that are wrong: ListOptions, DeleteOptions, PatchOptions. */
    public static ApiException invalidOptions(String kind, List<FieldError> errors) {
        var details = JsonNodeFactory.instance.objectNode();
        details.put("group", "meta.k8s.io").put("kind", kind);
        var causes = details.putArray("causes");
        for (FieldError error : errors) causes.add(error.toCause());
        return new ApiException(
                422,
                "Invalid",
                "%s.meta.k8s.io \"\" is invalid: %s".formatted(kind, FieldError.sentence(errors)),
                details);
    }

    public static ApiException tooLargeBody(long limit) {
        return new ApiException(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit, null);
    }

    /** What this server leaves out on purpose. */
    public static ApiException notImplemented(String what) {
        return new ApiException(501, "NotImplemented", what + " is not supported by this server", null);
    }

    public static ApiException internal(String message) {
        var details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes").addObject().put("message", message);
        return new ApiException(500, "InternalError", "Internal error occurred: " + message, details);
    }

    private static ApiException named(int code, String reason, String message, ResourceType type, String name) {
        var details = JsonNodeFactory.instance.objectNode();
        if (!name.isEmpty()) details.put("name", name);
        if (!type.group().isEmpty()) details.put("group", type.group());
        details.put("kind", type.plural());
        return new ApiException(code, reason, message, details);
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    /** When the client may come again, if the answer says so. */
    public OptionalInt retryAfterSeconds() {
        return details != null && details.has("retryAfterSeconds")
                ? OptionalInt.of(details.path("retryAfterSeconds").asInt())
                : OptionalInt.empty();
    }

    /** The body that goes to the client. */
    public ObjectNode toStatus() {
        var status = JsonNodeFactory.instance.objectNode();
        status.put("kind", "Status").put("apiVersion", "v1");
        ObjectNode metadata = status.putObject("metadata");
        if (!continueToken.isEmpty()) metadata.put("continue", continueToken);
        status.put("status", "Failure").put("message", getMessage());
        if (!reason.isEmpty()) status.put("reason", reason);
        if (details != null) status.set("details", details.deepCopy());
        return status.put("code", code);
    }
}
