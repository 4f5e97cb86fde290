package dev.berth.claims.api;

import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** However input is mangled, it is understood or refused by name: nothing else escapes. */
class MangledInputTest {
    private static final int ROUNDS = 20_000;
    private static final String[] KINDS = {
        "DeviceClass", "DeviceClaim", "DevicePool", "DeviceDriver", "DevicePrivilegedClaim", "Pod"
    };

    private static List<String> texts() throws IOException {
        List<String> texts = new ArrayList<>();
        try (var files = Files.list(Path.of("../examples/claims"))) {
            for (Path file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    @Test
    void mangledTextIsRefusedByName() throws IOException {
        List<String> texts = texts();
        for (int seed = 0; seed < ROUNDS / 10; seed++) {
            var random = new SplittableRandom(seed);
            var text = new StringBuilder(texts.get(random.nextInt(texts.size())));
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, " -:[]{}'\"#&*!|>%@`\n\t0aé\u0001".charAt(random.nextInt(24)));
                    default -> text.setCharAt(at, text.charAt(random.nextInt(text.length())));
                }
            }
            attempt(seed, () -> Manifests.read("m", text.toString()).forEach(MangledInputTest::read));
        }
    }

    @Test
    void mangledTreesAreRefusedByName() throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (String text : texts()) {
            Manifests.read("m", text).stream()
                    .filter(manifest -> List.of(KINDS).contains(manifest.kind()))
                    .forEach(manifests::add);
        }
        for (int seed = 0; seed < ROUNDS; seed++) {
            var random = new SplittableRandom(seed);
            ObjectNode body =
                    manifests.get(random.nextInt(manifests.size())).body().deepCopy();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                mangle(body, random);
            }
            attempt(seed, () -> read(Manifest.of("m", body)));
        }
    }

    private static void attempt(int seed, Runnable reading) {
        try {
            reading.run();
        } catch (ManifestException expected) {
            if (expected.getMessage() == null || !expected.getMessage().startsWith("m")) {
                fail("seed " + seed + " does not name the input", expected);
            }
        } catch (RuntimeException | StackOverflowError escaped) {
            fail("seed " + seed, escaped);
        }
    }

    private static void read(Manifest manifest) {
        if (List.of(KINDS).contains(manifest.kind())) {
            KindsTest.read(manifest);
        }
    }

    /** Replaces, removes or adds a value somewhere in the tree. */
    private static void mangle(JsonNode tree, SplittableRandom random) {
        JsonNode at = tree;
        while (at.size() > 0) {
            int index = random.nextInt(at.size());
            List<String> names = new ArrayList<>();
            at.fieldNames().forEachRemaining(names::add);
            JsonNode child = at.isObject() ? at.get(names.get(index)) : at.get(index);
            if (child.isEmpty() || random.nextInt(3) == 0) {
                change(at, index, names, random);
                return;
            }
            at = child;
        }
    }

    private static void change(JsonNode parent, int index, List<String> names, SplittableRandom random) {
        var nodes = JsonNodeFactory.instance;
        JsonNode[] values = {
            nodes.nullNode(),
            nodes.textNode(""),
            nodes.textNode("x y"),
            nodes.numberNode(-1),
            nodes.numberNode(1e300),
            nodes.numberNode(Long.MAX_VALUE),
            nodes.booleanNode(true),
            nodes.objectNode(),
            nodes.arrayNode(),
            nodes.objectNode().put("name", "n"),
            nodes.arrayNode().add(nodes.objectNode()).add(5)
        };
        JsonNode value = values[random.nextInt(values.length)];
        if (parent instanceof ObjectNode object) {
            switch (random.nextInt(3)) {
                case 0 -> object.remove(names.get(index));
                case 1 -> object.set("x" + random.nextInt(3), value);
                default -> object.set(names.get(index), value);
            }
        } else if (parent instanceof ArrayNode array) {
            array.set(index, value);
        }
    }
}
