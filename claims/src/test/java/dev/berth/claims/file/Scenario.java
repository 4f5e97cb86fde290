package dev.berth.claims.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.policy.Listed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files that are scheduled together, and what came of it. */
final class Scenario {
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();

    /** The files of examples/claims. */
    static Scenario examples(String... names) {
        var scenario = new Scenario();
        for (String name : names) {
            scenario.file(Path.of("../examples/claims", name));
        }
        return scenario;
    }

    Scenario file(Path file) {
        try {
            return text(file.getFileName().toString(), Files.readString(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    Scenario text(String name, String text) {
        manifests.addAll(Manifests.read(name, text));
        return this;
    }

    Scenario only(String node) {
        nodes.add(node);
        return this;
    }

    /** The same pods once more, under other names. */
    Scenario again(String suffix) {
        List<Manifest> more = new ArrayList<>();
        for (Manifest manifest : manifests) {
            if (manifest.kind().equals("Pod")) {
                ObjectNode body = manifest.body().deepCopy();
                ObjectNode metadata = (ObjectNode) body.path("metadata");
                metadata.put("name", metadata.path("name").asText() + suffix);
                more.add(Manifest.of("again", body));
            }
        }
        manifests.addAll(more);
        return this;
    }

    FileSchedule.Result run() {
        return FileSchedule.run(manifests, nodes, new Listed());
    }

    /** {@code pod@node: pool/device …}, in the order of the pods; why not, for those that are not placed. */
    List<String> answers() {
        return run().outcomes().stream()
                .map(outcome -> switch (outcome) {
                    case FileSchedule.Placed placed ->
                        "%s@%s: %s"
                                .formatted(
                                        placed.pod().substring(placed.pod().indexOf('/') + 1),
                                        placed.node(),
                                        String.join(
                                                " ",
                                                placed.devices().values().stream()
                                                        .flatMap(List::stream)
                                                        .toList()))
                                .strip();
                    case FileSchedule.NotPlaced waiting -> "waiting: " + waiting.why();
                })
                .toList();
    }

    /** The written object of this name. */
    static JsonNode written(FileSchedule.Result result, String kind, String name) {
        return result.written().stream()
                .filter(object -> object.path("kind").asText().equals(kind)
                        && object.path("metadata").path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
