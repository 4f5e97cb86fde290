package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.User;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request and its reply, in the terms of the Kubernetes API. */
final class Exchange {
    private static final HeaderName WARNING = HeaderNames.create("Warning");

    private final ServerRequest request;
    private final ServerResponse response;
    private final Set<String> warnings = new LinkedHashSet<>();
    private @Nullable Query query;
    private byte @Nullable [] body;

    Exchange(ServerRequest request, ServerResponse response) {
        this.request = request;
        this.response = response;
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

    byte[] body() {
        byte[] known = body;
        if (known != null) return known;
        try {
            known = request.content().hasEntity()
                    ? request.content().inputStream().readAllBytes()
                    : new byte[0];
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        body = known;
        return known;
    }

    User user() {
        return new User("system:admin", "", List.of("system:masters", "system:authenticated"));
    }

    /** @param kind of the options: CreateOptions, UpdateOptions, PatchOptions, DeleteOptions */
    Call call(String kind) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
        boolean dryRun = false;
        for (String each : query().all("dryRun")) {
            if (!each.equals("All")) {
                throw new ApiException(
                        422,
                        "Invalid",
                        "%s.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: \"%s\": supported values: \"All\""
                                .formatted(kind, each),
                        null);
            }
            dryRun = true;
        }
        if (dryRun) options.putArray("dryRun").add("All");
        String manager = query().text("fieldManager");
        if (!manager.isEmpty()) options.put("fieldManager", manager);
        String validation = query().text("fieldValidation");
        if (!validation.isEmpty()) options.put("fieldValidation", validation);
        return new Call(
                user(),
                dryRun,
                manager.isEmpty() ? managerFromAgent() : manager,
                validation.isEmpty() ? "Warn" : validation,
                options,
                warnings::add);
    }

    private String managerFromAgent() {
        String agent = header(HeaderNames.USER_AGENT);
        int slash = agent.indexOf('/');
        String name = slash < 0 ? agent : agent.substring(0, slash);
        return name.isEmpty() ? "unknown" : name.length() > 128 ? name.substring(0, 128) : name;
    }

    /** The form that the Accept header asks for. */
    View view(ResourceType type) {
        String accept = accept();
        if (accept.contains("as=PartialObjectMetadata")) return new View.Partial(type);
        return new View.Whole(type);
    }

    private boolean wantsYaml() {
        return accept().toLowerCase(Locale.ROOT).startsWith("application/yaml");
    }

    void reply(int code, ResourceType type, Stored stored) {
        send(code, view(type).object(stored));
    }

    void reply(int code, JsonNode tree) {
        send(code, Json.bytes(tree));
    }

    void reply(int code, ResourceType type, Listing.Page page) {
        View view = view(type);
        var head = new StringBuilder(128)
                .append("{\"kind\":\"")
                .append(view.listKind())
                .append("\",\"apiVersion\":\"")
                .append(view.listApiVersion())
                .append("\",\"metadata\":{\"resourceVersion\":\"")
                .append(page.revision())
                .append('"');
        if (!page.next().isEmpty())
            head.append(",\"continue\":\"").append(page.next()).append('"');
        if (page.remaining() >= 0 && !page.next().isEmpty()) {
            head.append(",\"remainingItemCount\":").append(page.remaining());
        }
        head.append("},\"items\":[");
        send(code, join(head.toString().getBytes(StandardCharsets.UTF_8), view, page.items()));
    }

    private static byte[] join(byte[] head, View view, List<Stored> items) {
        byte[][] parts = new byte[items.size()][];
        long size = head.length + 2L + Math.max(0, items.size() - 1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = view.item(items.get(i));
            size += parts[i].length;
        }
        byte[] whole = new byte[Math.toIntExact(size)];
        System.arraycopy(head, 0, whole, 0, head.length);
        int at = head.length;
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) whole[at++] = ',';
            System.arraycopy(parts[i], 0, whole, at, parts[i].length);
            at += parts[i].length;
        }
        whole[at++] = ']';
        whole[at] = '}';
        return whole;
    }

    void refuse(ApiException refused) {
        if (response.isSent()) return;
        send(refused.code(), Json.bytes(refused.toStatus()));
    }

    void text(int code, String type, String text) {
        response.status(Status.create(code));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        response.send(text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(int code, String type, byte[] bytes) {
        response.status(Status.create(code));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        response.send(bytes);
    }

    private void send(int code, byte[] json) {
        response.status(Status.create(code));
        for (String warning : warnings) {
            response.headers()
                    .add(WARNING, "299 - \"" + warning.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        response.headers().set(HeaderNames.CACHE_CONTROL, "no-cache, private");
        if (wantsYaml()) {
            response.headers().set(HeaderNames.CONTENT_TYPE, "application/yaml");
            response.send(Bodies.toYaml(parsed(json)));
            return;
        }
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(json);
    }

    private static JsonNode parsed(byte[] json) {
        try {
            return Json.parse(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** For a reply that goes on and on. */
    OutputStream stream() {
        response.status(Status.OK_200);
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.headers().set(HeaderNames.CACHE_CONTROL, "no-cache, private");
        return response.outputStream();
    }
}
