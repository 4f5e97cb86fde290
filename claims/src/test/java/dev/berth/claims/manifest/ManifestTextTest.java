package dev.berth.claims.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTextTest {
    private static String yaml(ObjectNode... objects) {
        var text = new StringWriter();
        ManifestText.YAML.write(List.of(objects), new PrintWriter(text));
        return text.toString();
    }

    private static ObjectNode object(String value) {
        return JsonNodeFactory.instance.objectNode().put("a", value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1.5",
                "1e3",
                "0x1f",
                "0o17",
                "1_000",
                "1:30",
                "2026-01-01",
                "2026-01-01T00:00:00Z",
                "yes",
                "null",
                "~",
                "",
                ".inf",
                "true"
            })
    void whatSomeReaderTakesForSomethingElseIsQuoted(String value) {
        assertThat(yaml(object(value))).isEqualTo("---\na: \"" + value + "\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.2", "40Gi", "10m", "4.2.1-gen3", "node-00", "550.54.15", "a b"})
    void plainTextsStayPlain(String value) {
        assertThat(yaml(object(value))).isEqualTo("---\na: " + value + "\n");
    }

    @Test
    void whateverIsWrittenIsReadBack() {
        String letters = " -:#&*!|>%@`'\"\\\n\t{}[],?0123456789abcyesnoé~.+<=";
        for (int seed = 0; seed < 5_000; seed++) {
            var random = new SplittableRandom(seed);
            var value = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                value.append(letters.charAt(random.nextInt(letters.length())));
            }
            var object = object(value.toString()).put("k" + value, "b");
            assertThat(Manifests.read("t", yaml(object)).getFirst().body())
                    .as("seed %d: %s", seed, yaml(object))
                    .isEqualTo(object);
        }
    }
}
