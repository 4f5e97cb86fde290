package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.berth.apiserver.kinds.OpenApi;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Tables;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Stored;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What goes back to the client, in the form that it accepts. */
final class Reply {
    private static final HeaderName WARNING = HeaderNames.create("Warning");
    private static final Header NO_CACHE = HeaderValues.createCached(HeaderNames.CACHE_CONTROL, "no-cache, private");
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    private final ServerResponse response;
    private final String accept;
    private final boolean pretty;
    private final Set<String> warnings = new LinkedHashSet<>();

    Reply(ServerResponse response, String accept, boolean pretty) {
        this.response = response;
        this.accept = accept;
        this.pretty = pretty;
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    void object(int code, Rooms rooms, ResourceType type, Stored stored, Query query) {
        Accept wanted = Accept.of(accept, true);
        byte[] bytes = wanted.form() == Accept.Form.TABLE
                ? Json.bytes(rooms.tables().single(type, Json.tree(type, stored), include(query)))
                : view(rooms, type, query).object(stored);
        send(code, bytes, wanted.yaml());
    }

    void tree(int code, JsonNode tree) {
        send(code, Json.bytes(tree), Accept.of(accept, false).yaml());
    }

    void page(int code, Rooms rooms, ResourceType type, Listing.Page page, Query query) {
        Accept wanted = Accept.of(accept, true);
        if (wanted.form() == Accept.Form.TABLE) {
            List<ObjectNode> trees = new ArrayList<>(page.items().size());
            for (Stored each : page.items()) trees.add(Json.tree(type, each));
            ObjectNode metadata = page.metadata(false);
            send(code, Json.bytes(rooms.tables().list(type, metadata, trees, include(query))), wanted.yaml());
            return;
        }
        View view = view(rooms, type, query);
        boolean custom = rooms.catalog().isCustom(type) && wanted.form() == Accept.Form.WHOLE;
        byte[] head = "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
                .formatted(view.listKind(), view.listApiVersion(), page.metadata(custom))
                .getBytes(StandardCharsets.UTF_8);
        send(code, join(head, view, page.items()), wanted.yaml());
    }

    View view(Rooms rooms, ResourceType type, Query query) {
        return switch (Accept.of(accept, true).form()) {
            case WHOLE ->
                EventForms.isConverted(type)
                        ? new View.Converted(type)
                        : new View.Whole(type, rooms.catalog().isCustom(type));
            case METADATA -> new View.Partial(type);
            case TABLE -> new View.Rows(type, rooms.tables(), include(query));
        };
    }

    private static Tables.IncludeObject include(Query query) {
        return Tables.IncludeObject.of(query.text("includeObject"));
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
        refused.retryAfterSeconds()
                .ifPresent(seconds ->
                        response.header(HeaderValues.create(HeaderNames.RETRY_AFTER, Integer.toString(seconds))));
        send(refused.code(), Json.bytes(refused.toStatus()), false);
    }

    void bytes(int code, String type, byte[] bytes) {
        response.status(Status.create(code));
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, type));
        response.send(bytes);
    }

    void json(int code, byte[] json) {
        send(code, json, false);
    }

    /** A document that a client may have already. */
    void document(OpenApi.Document document, String known) {
        String tag = '"' + document.hash() + '"';
        response.header(HeaderValues.create(HeaderNames.ETAG, tag));
        if (known.equals(tag)) {
            response.status(Status.NOT_MODIFIED_304);
            response.send();
            return;
        }
        bytes(200, document.mediaType(), document.bytes());
    }

    void text(int code, String text) {
        bytes(code, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private void send(int code, byte[] json, boolean yaml) {
        response.status(Status.create(code));
        for (String warning : warnings) {
            String quoted = warning.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ");
            response.headers().add(HeaderValues.create(WARNING, "299 - \"" + quoted + "\""));
        }
        response.header(NO_CACHE);
        if (yaml) {
            response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/yaml"));
            response.send(yaml(json));
            return;
        }
        response.header(HeaderValues.CONTENT_TYPE_JSON);
        response.send(pretty ? Json.pretty(json) : json);
    }

    private static byte[] yaml(byte[] json) {
        try {
            return YAML.writeValueAsBytes(Json.parse(json));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** For a reply that goes on and on. */
    OpenReply stream() {
        response.status(Status.OK_200);
        response.header(HeaderValues.CONTENT_TYPE_JSON);
        response.header(NO_CACHE);
        return response.sink(OpenReply.TYPE);
    }
}
