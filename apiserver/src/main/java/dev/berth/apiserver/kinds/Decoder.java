package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Turns bodies into objects, and says of an object what Kubernetes says while it decodes: wrong types refuse it,
 * unknown and duplicate fields are complaints. Custom objects are pruned and get their defaults. Unknown fields of
 * built-in kinds are kept, which the real server does not do.
 */
public final class Decoder {
    public enum Format {
        JSON,
        YAML
    }

    /** What the query parameter {@code fieldValidation} asks for. */
    public enum Strictness {
        IGNORE,
        WARN,
        STRICT
    }

    /** An object, and its unknown and duplicate fields in Kubernetes' words. */
    public record Decoded(ObjectNode object, List<String> complaints, Function<String, ApiException> refusal) {
        /** Refuses the object for its complaints, hands them on as warnings, or forgets them. */
        public ObjectNode enforce(Strictness strictness, Consumer<String> warnings) {
            if (complaints.isEmpty()) return object;
            switch (strictness) {
                case STRICT -> throw refusal.apply("strict decoding error: " + String.join(", ", complaints));
                case WARN -> complaints.forEach(warnings);
                case IGNORE -> {}
            }
            return object;
        }
    }

    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final JsonFactory JSON = STRICT.getFactory();
    private static final YAMLFactory YAML = new YAMLFactory();

    private final LiveCatalog catalog;

    public Decoder(LiveCatalog catalog) {
        this.catalog = catalog;
    }

    /** A body that must hold an object of this type. */
    public Decoded decode(byte[] body, Format format, ResourceType type) {
        return decode(body, format, type.apiVersion(), type.kind(), type.schema(), custom(type));
    }

    /**
     * A body of a kind that is no resource of its own: {@code Binding}, {@code Eviction}, {@code Scale},
     * {@code DeleteOptions}.
     */
    public Decoded decode(byte[] body, Format format, String apiVersion, String kind) {
        return decode(body, format, apiVersion, kind, schemaOf(apiVersion, kind), Optional.empty());
    }

    private Schema schemaOf(String apiVersion, String kind) {
        if (kind.equals("DeleteOptions")) return catalog.schemas().reference(Schemas.DELETE_OPTIONS);
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String definition = BuiltInTypes.definition(group, apiVersion.substring(slash + 1), kind);
        return catalog.schemas().find(definition).isPresent()
                ? catalog.schemas().reference(definition)
                : OpenApiSchema.ANY;
    }

    /** The body of a server-side apply, which says itself what it is and has no field that the schema does not know. */
    public ObjectNode applied(byte[] body, ResourceType type) {
        ObjectNode said =
                read(body, Format.YAML, OpenApiSchema.ANY, type.kind()).object();
        String version = said.path("apiVersion").asText();
        String kind = said.path("kind").asText();
        if (!version.equals(type.apiVersion()) || !kind.equals(type.kind())) {
            throw ApiException.badRequest(
                    "invalid object type: %s%s, Kind=%s".formatted(version.contains("/") ? "" : "/", version, kind));
        }
        Decoded decoded = decode(body, Format.YAML, type);
        for (String complaint : decoded.complaints()) {
            UndeclaredField.of(complaint, said, type.schema()).ifPresent(path -> {
                throw new ApiException(
                        500,
                        "",
                        "failed to create typed patch object (%s/%s; %s%s, Kind=%s): %s: field not declared in schema"
                                .formatted(
                                        said.path("metadata").path("namespace").asText(),
                                        said.path("metadata").path("name").asText(),
                                        version.contains("/") ? "" : "/",
                                        version,
                                        kind,
                                        path),
                        null);
            });
        }
        return custom(type).isPresent() ? said : decoded.object();
    }

    /** The outcome of a patch; {@code duplicates} are those of the patch itself. */
    public Decoded patched(ObjectNode object, ResourceType type, List<String> duplicates) {
        Function<String, ApiException> refusal = why -> patchRefused(object, why);
        String kind = object.path("kind").asText();
        String version = object.path("apiVersion").asText();
        if (!kind.equals(type.kind()) || !version.equals(type.apiVersion())) {
            throw refusal.apply(KindCheck.whyNot(version, kind, type.apiVersion(), type.kind(), catalog));
        }
        List<String> complaints = new ArrayList<>(duplicates);
        var custom = custom(type);
        if (custom.isPresent()) {
            complaints.addAll(custom.get().complete(object, refusal));
        } else if (!FieldCheck.passes(type.schema(), object)) {
            BodyReader reader = BodyReader.over(object, type.schema());
            if (reader.typeError() != null) throw refusal.apply(reader.typeError());
            complaints.addAll(reader.complaints());
        }
        return new Decoded(object, complaints, refusal);
    }

    private static ApiException patchRefused(ObjectNode object, String why) {
        String value = JsonNodeFactory.instance.textNode(object.toString()).toString();
        FieldError error = FieldError.invalid("patch", value, why);
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes")
                .addObject()
                .put("reason", error.reason())
                .put("message", error.message())
                .put("field", error.field());
        return new ApiException(422, "Invalid", " \"\" is invalid: patch: " + error.message(), details);
    }

    /** The duplicate fields of a patch, which has no schema of its own. */
    public List<String> duplicates(byte[] patch) {
        try {
            STRICT.readTree(patch);
            return List.of();
        } catch (IOException _) {
            return read(patch, Format.JSON, OpenApiSchema.ANY, "").reader().duplicates();
        }
    }

    private Optional<CustomCompletion> custom(ResourceType type) {
        return catalog.custom(type) == null ? Optional.empty() : Optional.of(new CustomCompletion(type));
    }

    private Decoded decode(
            byte[] body,
            Format format,
            String apiVersion,
            String kind,
            Schema schema,
            Optional<CustomCompletion> custom) {
        ObjectNode object = null;
        if (format == Format.JSON) {
            try {
                if (STRICT.readTree(body) instanceof ObjectNode whole) object = whole;
            } catch (IOException _) {
                // The slow path finds out why.
            }
        }
        List<String> complaints = List.of();
        BodyReader reader = null;
        if (object == null) {
            Read read = read(body, format, custom.isPresent() ? OpenApiSchema.ANY : schema, kind);
            object = read.object();
            reader = read.reader();
        } else if (custom.isEmpty() && !FieldCheck.passes(schema, object)) {
            reader = read(body, format, schema, kind).reader();
        }
        KindCheck.check(object, apiVersion, kind, body, custom.isPresent(), catalog);
        String found = object.path("kind").asText();
        String version = object.path("apiVersion").asText();
        String word = version.substring(version.indexOf('/') + 1);
        Function<String, ApiException> refusal = why -> ApiException.badRequest(
                "%s in version \"%s\" cannot be handled as a %s: %s".formatted(found, word, found, why));
        if (reader != null) {
            if (reader.typeError() != null) throw refusal.apply(reader.typeError());
            complaints = reader.complaints();
        }
        if (custom.isPresent()) {
            List<String> pruned = custom.get().complete(object, refusal);
            if (!pruned.isEmpty()) {
                complaints = new ArrayList<>(complaints);
                complaints.addAll(pruned);
            }
        }
        return new Decoded(object, complaints, refusal);
    }

    private record Read(ObjectNode object, BodyReader reader) {}

    private static Read read(byte[] body, Format format, Schema schema, String kind) {
        BodyReader reader = new BodyReader();
        try (var parser = format == Format.YAML ? YAML.createParser(body) : JSON.createParser(body)) {
            if (parser.nextToken() == null) throw Malformed.empty(kind);
            JsonNode tree = reader.read(parser, schema);
            if (parser.nextToken() != null) throw Malformed.trailing(kind, body, parser.getText());
            if (tree.isNull()) return new Read(JsonNodeFactory.instance.objectNode(), reader);
            if (tree instanceof ObjectNode object) return new Read(object, reader);
            throw Malformed.notAnObject(kind, body, tree);
        } catch (JacksonException e) {
            throw Malformed.syntax(kind, body, e, format == Format.YAML);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
