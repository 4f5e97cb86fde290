package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.status.ApiException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every case of {@code answers.jsonl} was sent to a real kube-apiserver 1.36.3 and stands there with its answer
 * ({@code apiserver/src/test/record}); the rules must come to the same one.
 */
class AnswersTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern ADDRESS = Pattern.compile("127\\.96\\.0\\.[0-9]+");
    private static final String UID = "8fef9190-7b83-4424-bbbe-6bcae11634eb";

    private final Catalog catalog = new LiveCatalog(Schemas.load());
    private final Rules rules = new Rules(InstantSource.system(), "127.96.0.0/24", _ -> false, _ -> Map.of());

    @TestFactory
    Stream<DynamicTest> theRulesAnswerAsTheRealServerDid() throws IOException {
        try (var file = Objects.requireNonNull(AnswersTest.class.getResourceAsStream("answers.jsonl"));
                var lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            List<DynamicTest> tests = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode answered = JSON.readTree(line);
                tests.add(DynamicTest.dynamicTest(answered.path("name").asText(), () -> check(answered)));
            }
            return tests.stream();
        }
    }

    private void check(JsonNode answered) {
        ResourceType type = typeOf(answered.path("path").asText());
        boolean update = answered.has("updated");
        JsonNode expected = answered.path(update ? "updated" : "created");
        JsonNode actual;
        try {
            actual = update
                    ? update(type, answered)
                    : create(type, answered.path("create").deepCopy(), expected);
        } catch (ApiException refused) {
            actual = refused.toStatus();
        }
        assertThat(withoutRandom(comparable(actual))).isEqualTo(withoutRandom(comparable(expected.deepCopy())));
    }

    private JsonNode create(ResourceType type, ObjectNode object, JsonNode expected) {
        object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        KindRules kind = rules.of(type);
        kind.applyDefaults(object);
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        // What the server itself gives to a new object.
        metadata.put("uid", UID).put("creationTimestamp", "2026-01-01T00:00:00Z");
        if (type.namespaced()) metadata.put("namespace", "rules-x");
        if (!metadata.has("name") && metadata.has("generateName"))
            metadata.put("name", nameOf(expected, metadata.path("generateName").asText()));
        kind.prepareForCreate(object);
        var errors = kind.validate(object);
        if (!errors.isEmpty())
            throw ApiException.invalid(type, metadata.path("name").asText(), errors);
        return object;
    }

    private static String nameOf(JsonNode expected, String generateName) {
        String generated = expected.path("metadata").path("name").asText();
        if (generated.isEmpty())
            generated = expected.path("details").path("name").asText();
        return generated.isEmpty() ? generateName + "abcde" : generated;
    }

    private JsonNode update(ResourceType type, JsonNode answered) {
        ObjectNode old = answered.path("created").deepCopy();
        ((ObjectNode) old.path("metadata"))
                .put("uid", UID)
                .put("creationTimestamp", "2026-01-01T00:00:00Z")
                .put("resourceVersion", "7");
        ObjectNode next = old.deepCopy();
        merge(next, (ObjectNode) answered.path("update"));
        KindRules kind = rules.of(type);
        kind.applyDefaults(next);
        boolean status = answered.has("subresource");
        // The server locks optimistically on what it read when the client names no version.
        ((ObjectNode) next.path("metadata")).put("resourceVersion", "7");
        if (status) kind.prepareForStatusUpdate(next, old);
        else kind.prepareForUpdate(next, old);
        var errors = status ? kind.validateStatusUpdate(next, old) : kind.validateUpdate(next, old);
        if (!errors.isEmpty())
            throw ApiException.invalid(type, next.path("metadata").path("name").asText(), errors);
        return next;
    }

    private static void merge(ObjectNode into, ObjectNode patch) {
        for (var entry : patch.properties()) {
            if (entry.getValue().isNull()) into.remove(entry.getKey());
            else if (entry.getValue() instanceof ObjectNode child
                    && into.get(entry.getKey()) instanceof ObjectNode target) merge(target, child);
            else into.set(entry.getKey(), entry.getValue().deepCopy());
        }
    }

    private ResourceType typeOf(String path) {
        String[] parts = path.split("/");
        boolean core = parts[1].equals("api");
        return catalog.byPath(core ? "" : parts[2], parts[core ? 2 : 3], parts[parts.length - 1])
                .orElseThrow();
    }

    /** Without what differs from run to run and what admission adds, and with the names in order. */
    private static JsonNode comparable(JsonNode answer) {
        if (!(answer instanceof ObjectNode object)) return answer;
        if (object.path("metadata") instanceof ObjectNode metadata)
            metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
        if (object.path("kind").asText().startsWith("PersistentVolume")) {
            ((ObjectNode) object.path("metadata")).remove("finalizers");
            ((ObjectNode) object.path("status")).remove("lastPhaseTransitionTime");
        }
        if (object.path("spec") instanceof ObjectNode spec) {
            if (object.path("kind").asText().equals("Pod")) spec.remove(List.of("priority", "preemptionPolicy"));
            withoutAdmitted(spec, "tolerations");
            withoutAdmitted(spec, "taints");
            for (JsonNode port : spec.path("ports"))
                if (port instanceof ObjectNode each && each.path("nodePort").asInt() >= 30_000)
                    each.put("nodePort", 30_000);
        }
        for (JsonNode condition : object.path("status").path("conditions"))
            if (condition instanceof ObjectNode each && each.has("lastTransitionTime"))
                each.put("lastTransitionTime", "now");
        if (object.path("message").isTextual())
            object.set("message", words(object.path("message").asText()));
        if (object.path("details").path("causes") instanceof ArrayNode causes) sort(causes);
        return sorted(object);
    }

    private static String withoutRandom(JsonNode answer) {
        return ADDRESS.matcher(UUID.matcher(answer.toPrettyString()).replaceAll("some-uid"))
                .replaceAll("some-address");
    }

    private static void withoutAdmitted(ObjectNode spec, String list) {
        if (!(spec.get(list) instanceof ArrayNode items)) return;
        for (int i = items.size() - 1; i >= 0; i--)
            if (items.get(i).path("key").asText().startsWith("node.kubernetes.io/")) items.remove(i);
        if (items.isEmpty()) spec.remove(list);
    }

    /** Go walks maps in no order, so errors come in any. */
    private static ArrayNode words(String message) {
        ArrayNode words = JsonNodeFactory.instance.arrayNode();
        new TreeSet<>(Arrays.asList(message.split(", |: \\[|\\]$"))).forEach(words::add);
        return words;
    }

    private static void sort(ArrayNode causes) {
        List<JsonNode> all = new ArrayList<>();
        causes.forEach(cause -> all.add(sorted(cause)));
        all.sort((a, b) -> a.toString().compareTo(b.toString()));
        causes.removeAll();
        all.forEach(causes::add);
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode sorted = JsonNodeFactory.instance.objectNode();
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            names.sort(String::compareTo);
            for (String name : names) sorted.set(name, sorted(object.get(name)));
            return sorted;
        }
        if (node instanceof ArrayNode items) {
            ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
            items.forEach(item -> sorted.add(sorted(item)));
            return sorted;
        }
        return node;
    }
}
