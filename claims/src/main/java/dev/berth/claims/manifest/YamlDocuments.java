package dev.berth.claims.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads YAML (and JSON, which is YAML too) into trees, and remembers the line of every value. */
final class YamlDocuments {
    private static final int LARGEST_TEXT = 64 << 20;
    private static final int DEEPEST = 64;

    /** Aliases of aliases grow without bound: a document of a few lines may stand for billions of values. */
    private static final int MOST_VALUES = 5_000_000;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(LARGEST_TEXT)
            .setSchema(new CoreSchema())
            .build();

    record Document(JsonNode tree, Map<String, Integer> lines) {}

    private record Anchored(JsonNode tree, int size) {}

    private final String name;
    private final Iterator<Event> events;
    private final Map<Anchor, Anchored> anchors = new HashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();
    private int document;
    private int values;

    private YamlDocuments(String name, String text) {
        this.name = name;
        this.events = new Parse(SETTINGS).parseString(text).iterator();
    }

    static List<Document> read(String name, String text) {
        var reader = new YamlDocuments(name, text);
        try {
            return reader.documents();
        } catch (MarkedYamlEngineException wrong) {
            var line = wrong.getProblemMark().map(mark -> mark.getLine() + 1);
            throw reader.failure(line, "not YAML: " + wrong.getProblem(), wrong);
        } catch (YamlEngineException wrong) {
            throw reader.failure(Optional.empty(), "not YAML: " + wrong.getMessage(), wrong);
        }
    }

    private List<Document> documents() {
        List<Document> documents = new ArrayList<>();
        while (events.hasNext()) {
            if (events.next() instanceof DocumentStartEvent) {
                document++;
                anchors.clear();
                lines.clear();
                values = 0;
                JsonNode tree = node(events.next(), "", 0);
                documents.add(new Document(tree, Map.copyOf(lines)));
            }
        }
        return documents;
    }

    private JsonNode node(Event event, String pointer, int depth) {
        if (depth > DEEPEST) {
            throw failure(line(event), "nested more than " + DEEPEST + " deep", null);
        }
        line(event).ifPresent(line -> lines.put(pointer, line));
        if (event instanceof AliasEvent alias) {
            Anchored anchored = anchors.get(alias.getAlias());
            if (anchored == null) {
                throw failure(line(event), "the alias *" + alias.getAlias() + " has no anchor", null);
            }
            count(anchored.size(), event);
            return anchored.tree();
        }
        int before = values;
        count(1, event);
        JsonNode tree = switch (event.getEventId()) {
            case Scalar -> scalar((ScalarEvent) event);
            case SequenceStart -> sequence(pointer, depth);
            case MappingStart -> mapping(pointer, depth);
            default -> throw failure(line(event), "not a value", null);
        };
        ((NodeEvent) event).getAnchor().ifPresent(anchor -> anchors.put(anchor, new Anchored(tree, values - before)));
        return tree;
    }

    private ArrayNode sequence(String pointer, int depth) {
        var array = JsonNodeFactory.instance.arrayNode();
        Event event = events.next();
        while (event.getEventId() != Event.ID.SequenceEnd) {
            array.add(node(event, pointer + "/" + array.size(), depth + 1));
            event = events.next();
        }
        return array;
    }

    private ObjectNode mapping(String pointer, int depth) {
        var object = JsonNodeFactory.instance.objectNode();
        var merged = JsonNodeFactory.instance.objectNode();
        Event event = events.next();
        while (event.getEventId() != Event.ID.MappingEnd) {
            if (!(event instanceof ScalarEvent scalar)) {
                throw failure(line(event), "a key must be a text", null);
            }
            String key = scalar.getValue();
            String child = pointer + "/" + key.replace("~", "~0").replace("/", "~1");
            JsonNode value = node(events.next(), child, depth + 1);
            if (key.equals("<<") && scalar.isPlain()) {
                merge(merged, value, event);
            } else if (object.has(key)) {
                throw failure(line(event), "the key " + key + " is given twice", null);
            } else {
                line(event).ifPresent(line -> lines.put(child, line));
                object.set(key, value);
            }
            event = events.next();
        }
        merged.properties().forEach(entry -> {
            if (!object.has(entry.getKey())) {
                object.set(entry.getKey(), entry.getValue());
            }
        });
        return object;
    }

    private void merge(ObjectNode merged, JsonNode value, Event event) {
        for (JsonNode each : value.isArray() ? value : List.of(value)) {
            if (!(each instanceof ObjectNode object)) {
                throw failure(line(event), "<< merges objects only", null);
            }
            object.properties().forEach(entry -> {
                if (!merged.has(entry.getKey())) {
                    merged.set(entry.getKey(), entry.getValue());
                }
            });
        }
    }

    private JsonNode scalar(ScalarEvent event) {
        var nodes = JsonNodeFactory.instance;
        String text = event.getValue();
        Tag tag = event.getTag()
                .map(Tag::new)
                .orElseGet(() -> SETTINGS.getSchema()
                        .getScalarResolver()
                        .resolve(text, event.getImplicit().canOmitTagInPlainScalar()));
        if (tag.equals(Tag.NULL)) {
            return nodes.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return nodes.booleanNode(Boolean.parseBoolean(text.toLowerCase(Locale.ROOT)));
        }
        try {
            if (tag.equals(Tag.INT)) {
                return whole(text);
            }
            if (tag.equals(Tag.FLOAT)) {
                return nodes.numberNode(new BigDecimal(text));
            }
        } catch (NumberFormatException notPlain) {
            // .inf, .nan and the like have no JSON: they stay the text that they are
            return nodes.textNode(text);
        }
        return nodes.textNode(text);
    }

    private static JsonNode whole(String text) {
        BigInteger value;
        if (text.startsWith("0x")) {
            value = new BigInteger(text.substring(2), 16);
        } else if (text.startsWith("0o")) {
            value = new BigInteger(text.substring(2), 8);
        } else {
            value = new BigInteger(text);
        }
        return value.bitLength() < Long.SIZE
                ? JsonNodeFactory.instance.numberNode(value.longValueExact())
                : JsonNodeFactory.instance.numberNode(value);
    }

    private void count(int more, Event event) {
        values += more;
        if (values > MOST_VALUES) {
            throw failure(line(event), "more than " + MOST_VALUES + " values", null);
        }
    }

    private static Optional<Integer> line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1);
    }

    private ManifestException failure(Optional<Integer> line, String what, @Nullable Throwable cause) {
        String where = name + ": document " + Math.max(document, 1)
                + line.map(number -> ", line " + number).orElse("");
        return new ManifestException(where + ": " + what, cause);
    }
}
