package dev.berth.apiserver.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Which field of which message has which number: a table made from Kubernetes' own types (see
 * {@code apiserver/openapi}).
 */
final class Layout {
    /**
     * One field.
     *
     * @param type a scalar's word, a message's name, {@code *} and the type of a list's items, {@code %} and the type
     *     of a map's values
     * @param pointer whether an unset value is told from a zero one
     * @param embedded whether its fields stand in the enclosing object
     */
    record Field(String name, String type, boolean pointer, boolean omittedWhenEmpty, boolean embedded) {}

    private static final String TABLE = "/dev/berth/apiserver/kubernetes-1.36-protobuf.tsv.gz";

    private final Map<String, String> roots = new HashMap<>();
    private final Map<String, Map<Integer, Field>> messages = new HashMap<>();

    private Layout() {}

    static Layout load() {
        var layout = new Layout();
        try (var in = Objects.requireNonNull(Layout.class.getResourceAsStream(TABLE), TABLE);
                var lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            lines.lines().forEach(layout::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return layout;
    }

    private void add(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length == 3) {
            roots.put(columns[0] + " " + columns[1], columns[2]);
            return;
        }
        String flags = columns[4];
        var field = new Field(columns[2], columns[3], flags.contains("p"), flags.contains("o"), flags.contains("e"));
        messages.computeIfAbsent(columns[0], _ -> new HashMap<>()).put(Integer.parseInt(columns[1]), field);
    }

    /** The message that a kind is written as. */
    Optional<String> root(String apiVersion, String kind) {
        return Optional.ofNullable(roots.get(apiVersion + " " + kind));
    }

    /** The fields of a message by number. */
    Map<Integer, Field> fields(String message) {
        return messages.getOrDefault(message, Map.of());
    }
}
