package dev.berth.claims.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;

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

    private static final ObjectMapper YAML_MAPPER = new ObjectMapper(YAMLFactory.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
            .stringQuotingChecker(new Quoting())
            .build());

    /** Quotes what some reader of YAML takes for a number, a time or a date: 1e3, 0x1f, 1_000, 1:30, 2026-01-01. */
    private static final class Quoting extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;
        private static final Pattern NO_TEXT = Pattern.compile(
                "[-+]?([0-9][0-9_]*)?(\\.[0-9_]*)?([eE][-+]?[0-9]+)?"
                        + "|[-+]?0[xXoObB][0-9a-fA-F_]+"
                        + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"
                        + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*"
                        + "|[-+]?\\.(inf|nan)",
                Pattern.CASE_INSENSITIVE);

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || NO_TEXT.matcher(value).matches();
        }

        @Override
        public boolean needToQuoteName(String name) {
            return super.needToQuoteName(name) || NO_TEXT.matcher(name).matches();
        }
    }

    public abstract void write(List<? extends JsonNode> objects, PrintWriter out);

    private static String text(ObjectMapper mapper, JsonNode object) {
        try {
            return mapper.writeValueAsString(object);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree could not be written", impossible);
        }
    }
}
