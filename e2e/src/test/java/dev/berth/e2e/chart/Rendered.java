package dev.berth.e2e.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The objects that a chart renders to. */
record Rendered(List<JsonNode> objects) {
    static Rendered of(Helm helm, Path chart, String... options) {
        return named(helm, chart, "release", "gpu", options);
    }

    static Rendered named(Helm helm, Path chart, String release, String namespace, String... options) {
        List<String> command = new ArrayList<>(
                List.of("template", release, chart.toString(), "--namespace", namespace, "--kube-version", "1.36.3"));
        command.addAll(List.of(options));
        var text = helm.run(command.toArray(String[]::new));
        try (var parsed = new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return new Rendered(
                    parsed.readAll().stream().filter(JsonNode::isObject).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Stream<JsonNode> all(String kind) {
        return objects.stream().filter(each -> each.path("kind").asText().equals(kind));
    }

    JsonNode only(String kind) {
        var found = all(kind).toList();
        if (found.size() != 1) throw new AssertionError(found.size() + " objects of kind " + kind);
        return found.getFirst();
    }

    List<String> kinds() {
        return objects.stream()
                .map(each -> each.path("kind").asText())
                .distinct()
                .sorted()
                .toList();
    }
}
