package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;

/**
 * The schemas that Kubernetes publishes for its own kinds, by definition name. The library's text is read at start; a
 * schema is parsed when it is first asked for.
 */
public final class Schemas {
    static final String REFERENCE_PREFIX = "#/components/schemas/";
    static final String OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
    static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
    static final String LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Ruling 9 of the claims contract: on this server a PodSpec carries device claims. */
    private static final Map<String, String> EXTRA_POD_FIELDS = Map.of(
            "io.k8s.api.core.v1.PodSpec", "deviceClaims",
            "io.k8s.api.core.v1.Container", "devices");

    private record Span(int start, int end) {}

    private final byte[] text;
    private final Map<String, Span> spans;
    private final Map<String, ObjectNode> raw = new ConcurrentHashMap<>();
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    private Schemas(byte[] text) {
        this.text = text;
        this.spans = Collections.unmodifiableMap(index(text));
    }

    public static Schemas load() {
        try (var resource = Schemas.class.getResourceAsStream("/dev/berth/apiserver/kubernetes-1.36-schemas.json.gz")) {
            if (resource == null) throw new IllegalStateException("the Kubernetes schemas are not on the class path");
            try (var gunzipped = new GZIPInputStream(resource, 1 << 16)) {
                return new Schemas(gunzipped.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file has one schema a line, as {@code "name":{...},}. Searched as Latin-1, which keeps byte positions. */
    private static Map<String, Span> index(byte[] text) {
        String latin = new String(text, StandardCharsets.ISO_8859_1);
        Map<String, Span> spans = new TreeMap<>();
        int start = 0;
        while (start < latin.length()) {
            int end = latin.indexOf('\n', start);
            if (end < 0) end = latin.length();
            if (latin.charAt(start) == '"') {
                int quote = latin.indexOf('"', start + 1);
                int last = latin.charAt(end - 1) == ',' ? end - 1 : end;
                spans.put(latin.substring(start + 1, quote), new Span(quote + 2, last));
            }
            start = end + 1;
        }
        return spans;
    }

    public Set<String> names() {
        return spans.keySet();
    }

    public Optional<Schema> find(String name) {
        return spans.containsKey(name) ? Optional.of(named(name)) : Optional.empty();
    }

    /** @throws NoSuchElementException when there is no such definition */
    public Schema named(String name) {
        return schemas.computeIfAbsent(name, _ -> OpenApiSchema.builtIn(raw(name), this::named));
    }

    /** The same, looked up when it is first used. */
    Schema reference(String name) {
        return new ReferenceSchema(name, () -> named(name));
    }

    /** The definition as published; shared, not to be changed. */
    ObjectNode raw(String name) {
        return raw.computeIfAbsent(name, this::parse);
    }

    private ObjectNode parse(String name) {
        Span span = spans.get(name);
        if (span == null) throw new NoSuchElementException("no schema is called " + name);
        try {
            var parsed = (ObjectNode) MAPPER.readTree(text, span.start(), span.end() - span.start());
            String extra = EXTRA_POD_FIELDS.get(name);
            if (extra != null) {
                parsed.withObjectProperty("properties")
                        .putObject(extra)
                        .put("description", "Device claims of devmgmtproto.k8s.io; known to Berth's own server only.")
                        .put("x-kubernetes-preserve-unknown-fields", true);
            }
            return parsed;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("schema " + name + " does not parse", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name in {@code #/components/schemas/name}. */
    static String definitionOf(String reference) {
        return reference.substring(reference.lastIndexOf('/') + 1);
    }
}
