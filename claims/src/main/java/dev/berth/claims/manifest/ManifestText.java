package dev.berth.claims.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.PrintWriter;
import java.util.List;

/** Objects as text that {@code kubectl apply -f -} takes. */
public enum ManifestText {
    /** One document an object. */
    YAML {
        @Override
        public void write(List<? extends JsonNode> objects, PrintWriter out) {
            for (JsonNode object : objects) {
                out.println("---");
                out.print(text(YAML_MAPPER, object));
            }
            out.flush();
        }
    },
    /** A List of all objects, as kubectl prints several. */
    JSON {
        @Override
        public void write(List<? extends JsonNode> objects, PrintWriter out) {
            var list = JsonNodeFactory.instance.objectNode();
            list.put("apiVersion", "v1").put("kind", "List");
            list.putArray("items").addAll(objects);
            out.println(text(JSON_MAPPER, objects.size() == 1 ? objects.getFirst() : list));
            out.flush();
        }
    };

    private static final ObjectMapper JSON_MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Quotes whatever another reader might take for something else than a text, such as 1e3, yes and 0x1. */
    private static final ObjectMapper YAML_MAPPER = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .build());

    public abstract void write(List<? extends JsonNode> objects, PrintWriter out);

    private static String text(ObjectMapper mapper, JsonNode object) {
        try {
            return mapper.writeValueAsString(object);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written", impossible);
        }
    }
}
