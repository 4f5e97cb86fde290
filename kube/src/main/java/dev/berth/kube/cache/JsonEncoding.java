package dev.berth.kube.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** What every server offers for every kind: read in one pass and straight into that kind. */
final class JsonEncoding<T extends HasMetadata> implements Encoding<T> {
    private final ObjectMapper json;
    private final ObjectReader objects;
    private final ObjectReader statuses;

    JsonEncoding(ObjectMapper json, Class<T> type) {
        this.json = json;
        this.objects = json.readerFor(type);
        this.statuses = json.readerFor(Status.class);
    }

    @Override
    public Events<T> events(InputStream in) {
        var lines = new Lines(in);
        return new Events<>() {
            @Override
            public boolean next() throws IOException {
                return lines.next();
            }

            @Override
            public Optional<Event<T>> event() throws IOException {
                return JsonEncoding.this.event(lines.buffer(), lines.start(), lines.length());
            }
        };
    }

    Optional<Event<T>> event(byte[] buffer, int start, int length) throws IOException {
        try (var parser = json.createParser(buffer, start, length)) {
            open(parser);
            var type = "";
            long early = -1;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                parser.nextToken();
                if (name.equals("type")) {
                    type = parser.getText();
                } else if (name.equals("object") && !type.isEmpty()) {
                    return event(type, parser);
                } else if (name.equals("object")) {
                    early = parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                } else {
                    parser.skipChildren();
                }
            }
            return early < 0 ? Optional.empty() : late(type, buffer, start + (int) early, length - (int) early);
        }
    }

    /** Servers say the type first; one that does not has its object read when it is known what it is. */
    private Optional<Event<T>> late(String type, byte[] buffer, int start, int length) throws IOException {
        try (var parser = json.createParser(buffer, start, length)) {
            open(parser);
            return event(type, parser);
        }
    }

    private Optional<Event<T>> event(String type, JsonParser parser) throws IOException {
        return switch (type) {
            case "ADDED", "MODIFIED" -> Optional.of(new Event.There<>(objects.readValue(parser)));
            case "DELETED" -> Optional.of(new Event.Gone<>(objects.readValue(parser)));
            case "BOOKMARK" ->
                Optional.of(new Event.Bookmark<>(
                        objects.<T>readValue(parser).getMetadata().getResourceVersion()));
            case "ERROR" -> Optional.of(new Event.Failed<>(statuses.readValue(parser)));
            default -> Optional.empty();
        };
    }

    @Override
    public PageEnd page(InputStream in, Consumer<T> each) throws IOException {
        try (var parser = json.createParser(in)) {
            open(parser);
            var end = new PageEnd("", Optional.empty());
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                var value = parser.nextToken();
                if (name.equals("metadata")) {
                    end = end(parser);
                } else if (name.equals("items") && value == JsonToken.START_ARRAY) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        each.accept(objects.readValue(parser));
                    }
                } else {
                    parser.skipChildren();
                }
            }
            // To the end, so that the connection can be used again; what ends before its last brace is no page.
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
                throw new IOException("the list does not end as one");
            }
            return end;
        }
    }

    private PageEnd end(JsonParser parser) throws IOException {
        JsonNode metadata = json.readTree(parser);
        return new PageEnd(
                metadata.path("resourceVersion").asText(),
                Optional.of(metadata.path("continue").asText()).filter(token -> !token.isEmpty()));
    }

    private static void open(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the API server's answer is no object");
        }
    }
}
