package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.User;
import dev.berth.apiserver.kinds.Decoder;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.protobuf.ProtobufBody;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** One request, in the terms of the Kubernetes API, and the reply to it. */
final class Exchange {
    private static final String ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final User NOBODY = new User("system:anonymous", "", List.of("system:unauthenticated"));
    private static final long LARGEST_BODY = 3L << 20;
    private static final int LONGEST_MANAGER = 128;

    private final ServerRequest request;
    private final Reply reply;
    private User user = NOBODY;
    private @Nullable Query query;
    private byte @Nullable [] body;

    Exchange(ServerRequest request, ServerResponse response) {
        this.request = request;
        this.reply = new Reply(response, header(HeaderNames.ACCEPT), pretty());
    }

    /** People who ask by hand get lines. */
    private boolean pretty() {
        if (query().has("pretty")) return query().flag("pretty");
        String agent = header(HeaderNames.USER_AGENT);
        return agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0");
    }

    /** From here on it is known who asks. */
    void enter(User who) {
        user = who;
    }

    Reply reply() {
        return reply;
    }

    String method() {
        return request.prologue().method().text();
    }

    String path() {
        return request.prologue().uriPath().rawPath();
    }

    Query query() {
        Query known = query;
        if (known == null) query = known = Query.of(request.prologue().query().rawValue());
        return known;
    }

    String header(HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).get() : "";
    }

    String contentType() {
        return header(HeaderNames.CONTENT_TYPE);
    }

    String accept() {
        return header(HeaderNames.ACCEPT);
    }

    User user() {
        return user;
    }

    /** The media type without its parameters, in lower case. */
    static String mediaType(String contentType) {
        int semicolon = contentType.indexOf(';');
        String bare = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        return bare.strip().toLowerCase(Locale.ROOT);
    }

    byte[] body() {
        byte[] known = body;
        if (known == null) body = known = mediaType(contentType()).equals(PROTOBUF) ? asJson(read()) : read();
        return known;
    }

    private static byte[] asJson(byte[] protobuf) {
        if (protobuf.length == 0) return protobuf;
        try {
            return Json.bytes(ProtobufBody.decode(protobuf));
        } catch (ProtobufBody.UnreadableException unreadable) {
            throw ApiException.badRequest(unreadable.reason());
        }
    }

    private byte[] read() {
        if (!request.content().hasEntity()) return new byte[0];
        boolean packed = header(HeaderNames.CONTENT_ENCODING).equals("gzip");
        try (InputStream raw = request.content().inputStream()) {
            if (!packed) return raw.readAllBytes();
            try (InputStream plain = new GZIPInputStream(raw)) {
                byte[] bytes = plain.readNBytes((int) LARGEST_BODY + 1);
                if (bytes.length > LARGEST_BODY) throw ApiException.tooLargeBody(LARGEST_BODY);
                return bytes;
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private Decoder.Format format() {
        return switch (mediaType(contentType())) {
            case "application/json", PROTOBUF, "" -> Decoder.Format.JSON;
            case "application/yaml" -> Decoder.Format.YAML;
            default -> throw ApiException.unsupportedMediaType(ACCEPTED);
        };
    }

    /** The body as an object of the type that the path names. */
    ObjectNode object(Decoder decoder, ResourceType type, Call call) {
        return decoder.decode(body(), format(), type).enforce(call.strictness(), call.warnings());
    }

    /** The body as an object of a kind that is no resource of its own. */
    ObjectNode object(Decoder decoder, String apiVersion, String kind, Call call) {
        return decoder.decode(body(), format(), apiVersion, kind).enforce(call.strictness(), call.warnings());
    }

    /** @param kind of the options: CreateOptions, UpdateOptions, PatchOptions, DeleteOptions */
    Call call(String kind) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        List<String> dryRun = query().all("dryRun");
        checkDryRun(kind, dryRun);
        if (!dryRun.isEmpty()) options.putArray("dryRun").add("All");
        String manager = query().text("fieldManager");
        checkManager(kind, manager);
        if (!manager.isEmpty()) options.put("fieldManager", manager);
        String validation = query().text("fieldValidation");
        if (!validation.isEmpty()) options.put("fieldValidation", validation);
        return new Call(
                user,
                !dryRun.isEmpty(),
                manager.isEmpty() ? FieldManager.nameFrom(header(HeaderNames.USER_AGENT)) : manager,
                strictness(kind, validation),
                options,
                reply::warn);
    }

    static void checkDryRun(String kind, List<String> dryRun) {
        if (dryRun.stream().allMatch("All"::equals)) return;
        var values = JsonNodeFactory.instance.arrayNode();
        dryRun.forEach(values::add);
        throw ApiException.invalidOptions(
                kind,
                List.of(new FieldError(
                        "FieldValueNotSupported",
                        "dryRun",
                        "Unsupported value: %s: supported values: \"All\"".formatted(values))));
    }

    private static void checkManager(String kind, String manager) {
        if (manager.getBytes(StandardCharsets.UTF_8).length <= LONGEST_MANAGER) return;
        throw ApiException.invalidOptions(
                kind,
                List.of(new FieldError(
                        "FieldValueTooLong",
                        "fieldManager",
                        "Too long: may not be more than %d bytes".formatted(LONGEST_MANAGER))));
    }

    private static Decoder.Strictness strictness(String kind, String validation) {
        return switch (validation) {
            case "Ignore" -> Decoder.Strictness.IGNORE;
            case "Strict" -> Decoder.Strictness.STRICT;
            case "Warn", "" -> Decoder.Strictness.WARN;
            default ->
                throw ApiException.invalidOptions(
                        kind,
                        List.of(FieldError.notSupported(
                                "fieldValidation", validation, List.of("", "Ignore", "Strict", "Warn"))));
        };
    }

    JsonNode json(String what) {
        try {
            return Json.parse(body());
        } catch (IOException malformed) {
            throw ApiException.badRequest("the body is not JSON: a " + what + " was expected");
        }
    }
}
