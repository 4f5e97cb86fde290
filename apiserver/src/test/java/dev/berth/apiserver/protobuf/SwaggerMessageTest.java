package dev.berth.apiserver.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwaggerMessageTest {
    @Test
    void aDefinitionIsANamedSchemaWithItsTypeInALayerOfItsOwn() throws JsonProcessingException {
        var definition =
                "{\"definitions\": {\"Pod\": {\"type\": \"object\", \"properties\": {\"kind\": {\"type\": \"string\"}}}}}";

        assertThat(texts(definition, 9, 1, 1)).containsExactly("Pod");
        assertThat(texts(definition, 9, 1, 2, 22, 1)).containsExactly("object");
        assertThat(texts(definition, 9, 1, 2, 25, 1, 1)).containsExactly("kind");
        assertThat(texts(definition, 9, 1, 2, 25, 1, 2, 22, 1)).containsExactly("string");
    }

    @Test
    void vendorsKeysAreNamedAndKeptAsTheyAre() throws JsonProcessingException {
        var definition =
                "{\"definitions\": {\"Pod\": {\"x-kubernetes-group-version-kind\": [{\"group\": \"\", \"kind\": \"Pod\", \"version\": \"v1\"}]}}}";

        assertThat(texts(definition, 9, 1, 2, 31, 1)).containsExactly("x-kubernetes-group-version-kind");
        assertThat(texts(definition, 9, 1, 2, 31, 2, 2))
                .containsExactly("[{\"group\":\"\",\"kind\":\"Pod\",\"version\":\"v1\"}]");
    }

    @Test
    void aQueryParameterIsNotTheBody() throws JsonProcessingException {
        var paths = """
                {"paths": {"/api/v1/pods": {"patch": {"parameters": [
                  {"name": "body", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Patch"}},
                  {"name": "fieldValidation", "in": "query", "type": "string"}]}}}}
                """;

        assertThat(texts(paths, 8, 2, 1)).containsExactly("/api/v1/pods");
        assertThat(texts(paths, 8, 2, 2, 8, 8, 1, 1, 2)).containsExactly("body");
        assertThat(texts(paths, 8, 2, 2, 8, 8, 1, 1, 5, 1)).containsExactly("#/definitions/Patch");
        assertThat(texts(paths, 8, 2, 2, 8, 8, 1, 2, 3, 4)).containsExactly("fieldValidation");
    }

    /** The texts at the end of a path of field numbers. */
    private static List<String> texts(String json, int... path) throws JsonProcessingException {
        byte[] bytes = SwaggerMessage.encode((ObjectNode) new ObjectMapper().readTree(json));
        List<Wire> found = List.of(new Wire(bytes, 0, bytes.length));
        for (int number : path) {
            List<Wire> below = new ArrayList<>();
            found.forEach(each -> below.addAll(fields(each, number)));
            found = below;
        }
        return found.stream().map(Wire::text).toList();
    }

    private static List<Wire> fields(Wire message, int number) {
        List<Wire> found = new ArrayList<>();
        while (message.more()) {
            int tag = message.tag();
            if (tag == (number << 3 | Wire.BYTES)) found.add(message.slice());
            else message.skip(tag & 7);
        }
        return found;
    }
}
