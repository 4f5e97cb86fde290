package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.share.GpuCapacity;
import dev.berth.extender.wire.FilterRequest.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a filter request without building it: of megabytes of nodes only names, labels and capacities are looked at.
 * Field names are taken in any letter case, as Go takes them.
 */
public final class FilterReader {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonFactory FACTORY = JSON.getFactory();

    private final String modelLabel;
    private final String poolLabel;
    /** The last list of names, whoever asked: threads that read it at once find one or the other. */
    private volatile Roster roster = new Roster(new byte[0], List.of());

    /** A list of names, and who it names. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares rosters
    private record Roster(byte[] text, List<Candidate> candidates) {}

    public FilterReader(String modelLabel, String poolLabel) {
        this.modelLabel = modelLabel;
        this.poolLabel = poolLabel;
    }

    /** @throws MalformedRequestException with what is wrong, in words for the scheduler's log */
    public FilterRequest read(byte[] body) {
        return parse(body, parser -> {
            JsonNode pod = JSON.missingNode();
            Optional<Range> nodes = Optional.empty();
            Optional<Range> names = Optional.empty();
            var listed = new ArrayList<Candidate>();
            List<Candidate> named = List.of();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var field = lower(parser.currentName());
                parser.nextToken();
                switch (field) {
                    case "pod" -> pod = JSON.readTree(parser);
                    case "nodes" -> {
                        listed.clear();
                        nodes = range(parser, () -> nodes(parser, listed));
                    }
                    case "nodenames" -> {
                        names = range(parser, () -> list(parser));
                        named = names.isPresent() ? roster(body, names.get()) : List.of();
                    }
                    default -> parser.skipChildren();
                }
            }
            if (pod.isMissingNode() || pod.isNull()) {
                throw new MalformedRequestException("the request has no Pod");
            }
            return new FilterRequest(body, PodReader.read(pod), nodes, names, nodes.isPresent() ? listed : named);
        });
    }

    /** Reads an object and nothing but an object. */
    static <T> T parse(byte[] body, Reading<T> reading) {
        try (var parser = FACTORY.createParser(body)) {
            var first = parser.nextToken();
            if (first == null) {
                throw new MalformedRequestException("EOF");
            }
            if (parser.currentTokenLocation().getByteOffset() < 0) {
                // Jackson reads other encodings, too, but does not say where in their bytes a node lies.
                throw new MalformedRequestException("the request is not in UTF-8");
            }
            if (first != JsonToken.START_OBJECT) {
                throw new MalformedRequestException("the request is not a JSON object");
            }
            return reading.of(parser);
        } catch (JsonEOFException cut) {
            throw new MalformedRequestException("unexpected EOF");
        } catch (JsonParseException | StreamConstraintsException malformed) {
            throw new MalformedRequestException("the request is not valid JSON: " + malformed.getOriginalMessage());
        } catch (IOException unreadable) {
            throw new MalformedRequestException("the request cannot be read: " + unreadable.getMessage());
        }
    }

    /** Something that is read from where the parser stands. */
    @FunctionalInterface
    interface Reading<T> {
        T of(JsonParser parser) throws IOException;
    }

    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    static String lower(@Nullable String name) {
        return name == null ? "" : name.toLowerCase(Locale.ROOT);
    }

    private static Optional<Range> range(JsonParser parser, Step inside) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return Optional.empty();
        }
        long from = parser.currentTokenLocation().getByteOffset();
        inside.run();
        return Optional.of(new Range((int) from, (int) parser.currentLocation().getByteOffset()));
    }

    private static void list(JsonParser parser) throws IOException {
        require(parser, JsonToken.START_ARRAY, "NodeNames is not a list");
        parser.skipChildren();
    }

    /** The nodes of this list of names. A scheduler asks about the same ones again and again. */
    private List<Candidate> roster(byte[] body, Range range) throws IOException {
        var known = roster;
        if (Arrays.equals(known.text(), 0, known.text().length, body, range.from(), range.to())) {
            return known.candidates();
        }
        var candidates = new ArrayList<Candidate>();
        try (var parser = FACTORY.createParser(body, range.from(), range.length())) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                require(parser, JsonToken.VALUE_STRING, "NodeNames holds something that is not a name");
                candidates.add(Candidate.named(name(parser.getText())));
            }
        }
        roster = new Roster(Arrays.copyOfRange(body, range.from(), range.to()), candidates);
        return candidates;
    }

    private void nodes(JsonParser parser, List<Candidate> found) throws IOException {
        require(parser, JsonToken.START_OBJECT, "Nodes is not a list of nodes");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean items = lower(parser.currentName()).equals("items");
            var value = parser.nextToken();
            if (!items || value == JsonToken.VALUE_NULL) {
                parser.skipChildren();
                continue;
            }
            require(parser, JsonToken.START_ARRAY, "the items of Nodes are not a list");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                require(parser, JsonToken.START_OBJECT, "the items of Nodes hold something that is not a node");
                found.add(node(parser));
            }
        }
    }

    private Candidate node(JsonParser parser) throws IOException {
        var seen = new Seen();
        int from = (int) parser.currentTokenLocation().getByteOffset();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = lower(parser.currentName());
            var value = parser.nextToken();
            if (value == JsonToken.START_OBJECT && field.equals("metadata")) {
                metadata(parser, seen);
            } else if (value == JsonToken.START_OBJECT && field.equals("status")) {
                status(parser, seen);
            } else {
                parser.skipChildren();
            }
        }
        int to = (int) parser.currentLocation().getByteOffset();
        return Candidate.described(
                name(seen.name),
                new Candidate.Described(new GpuCapacity(seen.cores, seen.memory), seen.model, seen.pool, from, to));
    }

    private static String name(String given) {
        Names.require("a node's name", given);
        return given;
    }

    private void metadata(JsonParser parser, Seen seen) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            var value = parser.nextToken();
            if (value == JsonToken.VALUE_STRING && field.equalsIgnoreCase("name")) {
                seen.name = parser.getText();
            } else if (value == JsonToken.START_OBJECT && field.equalsIgnoreCase("labels")) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var label = parser.currentName();
                    parser.nextToken();
                    if (label.equals(modelLabel)) {
                        seen.model = parser.getValueAsString("");
                    } else if (label.equals(poolLabel)) {
                        seen.pool = parser.getValueAsString("");
                    }
                    parser.skipChildren();
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void status(JsonParser parser, Seen seen) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            var value = parser.nextToken();
            if (value == JsonToken.START_OBJECT && field.equalsIgnoreCase("capacity")) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var resource = parser.currentName();
                    parser.nextToken();
                    if (resource.equals(Keys.CORES)) {
                        seen.cores = capacity(seen, resource, parser.getValueAsString("0"));
                    } else if (resource.equals(Keys.MEMORY)) {
                        seen.memory = capacity(seen, resource, parser.getValueAsString("0"));
                    }
                    parser.skipChildren();
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static long capacity(Seen seen, String resource, String text) {
        try {
            return Amount.of(text);
        } catch (IllegalArgumentException malformed) {
            throw new MalformedRequestException("the capacity of %s on node %s is %s"
                    .formatted(resource, seen.name.isEmpty() ? "?" : seen.name, malformed.getMessage()));
        }
    }

    private static void require(JsonParser parser, JsonToken wanted, String problem) {
        if (parser.currentToken() != wanted) {
            throw new MalformedRequestException(problem);
        }
    }

    /** What a node's object said so far. */
    private static final class Seen {
        private String name = "";
        private String model = "";
        private String pool = "";
        private long cores;
        private long memory;
    }
}
