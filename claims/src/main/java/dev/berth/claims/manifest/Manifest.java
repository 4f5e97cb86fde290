package dev.berth.claims.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * One object of a file.
 *
 * @param body the object as written; not to be changed
 */
public record Manifest(ObjectNode body, Origin origin, String pointer) {

    /**
     * Where a document was read.
     *
     * @param name the file's name, or what else a person calls it
     * @param document its number in the file, from one; zero where there are no documents
     * @param lines the line of each value, by JSON pointer
     */
    record Origin(String name, int document, Map<String, Integer> lines) {
        ManifestException problem(String pointer, String field, String what) {
            var text = new StringBuilder(name);
            if (document > 0) {
                text.append(": document ").append(document);
            }
            Integer line = lines.get(pointer);
            if (line != null) {
                text.append(", line ").append(line);
            }
            if (!field.isEmpty()) {
                text.append(": ").append(field);
            }
            return new ManifestException(text.append(": ").append(what).toString());
        }
    }

    /** An object that was not read from text, such as one that an API server sent. */
    public static Manifest of(String name, ObjectNode body) {
        return new Manifest(body, new Origin(name, 0, Map.of()), "");
    }

    public String apiVersion() {
        return text("apiVersion");
    }

    public String kind() {
        return text("kind");
    }

    /** The object's fields, to be asked for one by one. */
    public Fields fields() {
        return new Field(body, origin, pointer, "").fields();
    }

    /** An object that is written as text inside this one, such as in an annotation. */
    public Manifest within(String name, ObjectNode inner) {
        return new Manifest(inner, new Origin(described() + ": " + name, 0, Map.of()), "");
    }

    /** An error about the object as a whole. */
    public ManifestException problem(String what) {
        return origin.problem(pointer, "", what);
    }

    private String described() {
        return origin.document() > 0 ? origin.name() + ": document " + origin.document() : origin.name();
    }

    private String text(String field) {
        JsonNode value = body.path(field);
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw origin.problem(
                    value.isMissingNode() ? pointer : pointer + "/" + field, field, "an object needs this, as text");
        }
        return value.textValue();
    }
}
