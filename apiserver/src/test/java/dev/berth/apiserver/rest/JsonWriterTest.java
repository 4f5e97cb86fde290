package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonWriterTest {
    /** Like Go, without escapes for what lies beyond the basic plane. */
    private static final ObjectMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                    .build())
            .build();

    private static final String LETTERS = "ab z\"\\\n\t\b\f\r\u0001\u001f\u007f\u0080éÿĀ€漢\u2028😀/<>&'";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"a\":[1,-2,9223372036854775807,12345678901234567890,1.5,1e300,true,false,null,\"\",{\"b\":[]}]}",
                "{\"k:{\\\"name\\\":\\\"trainer\\\"}\":{}}",
            })
    void itWritesAsJacksonDoes(String json) throws IOException {
        JsonNode tree = JACKSON.readTree(json);

        assertThat(Json.bytes(tree)).asString().isEqualTo(JACKSON.writeValueAsString(tree));
    }

    @Test
    void everyTextIsQuotedAsJacksonDoes() throws IOException {
        long seed = System.nanoTime();
        var random = new Random(seed);
        int[] letters = LETTERS.codePoints().toArray();
        for (int i = 0; i < 500; i++) {
            var text = new StringBuilder();
            // Mostly plain, so that one special character stands at every place of a word.
            for (int left = random.nextInt(40); left > 0; left--) {
                text.appendCodePoint(random.nextInt(12) > 0 ? 'x' : letters[random.nextInt(letters.length)]);
            }
            JsonNode tree = JsonNodeFactory.instance.textNode(text.toString());

            assertThat(Json.bytes(tree)).as("seed %d", seed).isEqualTo(JACKSON.writeValueAsBytes(tree));
        }
    }

    @Test
    void halfACharacterBecomesTheReplacementCharacterAsInGo() {
        JsonNode tree = JsonNodeFactory.instance.textNode("a\ud83db\ude00\ud83d");

        assertThat(Json.bytes(tree)).asString().isEqualTo("\"a\ufffdb\ufffd\ufffd\"");
    }

    @Test
    void aLargeTreeIsWrittenWhole() throws IOException {
        var tree = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 5_000; i++) tree.addObject().put("number", i).put("text", "é".repeat(i % 7));

        assertThat(JACKSON.readTree(Json.bytes(tree))).isEqualTo(tree);
    }
}
