package dev.berth.e2e.story;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces in a transcript what differs by nature between two runs. Equal things get equal words ({@code uid-1}), so
 * that a wrong reference still shows.
 */
final class Normaliser {
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    private static final Pattern ADDRESS = Pattern.compile("(127|10)\\.9[6-9]\\.\\d+\\.\\d+");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+(?![\\w.])");
    private static final Pattern SPEAKS_OF_VERSIONS = Pattern.compile("(?i)resource ?version");
    private static final Set<String> HASHES = Set.of("pod-template-hash", "controller-revision-hash");
    private static final JsonMapper PRETTY =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Map<String, String> words = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<String> knownNumbers = new HashSet<>();
    private final List<String> leftOut = new ArrayList<>();

    /** Numbers that the story itself sent are compared when they come back. */
    void knows(String sent) {
        NUMBER.matcher(sent).results().map(MatchResult::group).forEach(knownNumbers::add);
    }

    void leaveOut(String pointer) {
        leftOut.add(pointer);
    }

    void replace(String text, String word) {
        words.put(text, word);
    }

    /** A body in YAML is compared by what it says, not by its quotes and its order. */
    String yaml(String raw) {
        try {
            return body(Dialogue.YAML.readTree(raw).toString());
        } catch (JsonProcessingException e) {
            return text(raw);
        }
    }

    /** A body: JSON is sorted and indented, anything else is text. */
    String body(String raw) {
        if (raw.isEmpty()) return "(empty)";
        try {
            var tree = Dialogue.JSON.readTree(raw);
            if (!tree.isContainerNode()) return text(raw);
            learn(tree);
            return PRETTY.writeValueAsString(node("", "", tree, false));
        } catch (JsonProcessingException e) {
            return text(raw);
        }
    }

    /** First pass: names and hashes that the server made up, which other parts of the body may mention. */
    private void learn(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            var generated = object.path("generateName").asText();
            var name = object.path("name").asText();
            if (!generated.isEmpty() && name.startsWith(generated) && name.length() == generated.length() + 5) {
                words.putIfAbsent(name, generated + "?????");
            }
            for (var hash : HASHES) {
                if (object.path(hash).isTextual())
                    word("hash", object.path(hash).asText());
            }
        }
        tree.forEach(this::learn);
    }

    private JsonNode node(String pointer, String key, JsonNode value, boolean list) {
        if (isLeftOut(pointer)) return new TextNode("(not compared)");
        return switch (value) {
            case ObjectNode object -> object(pointer, object);
            case ArrayNode array -> array(pointer, array);
            case TextNode text -> new TextNode(scalar(key, text.asText(), list));
            default -> value;
        };
    }

    private ObjectNode object(String pointer, ObjectNode object) {
        var sorted = Dialogue.JSON.createObjectNode();
        // The version of a list, a table or a bookmark is the server's, not an object's.
        var collection = object.has("items") || object.has("rows") || isBookmark(object);
        object.propertyStream()
                .filter(field -> !isLeftOut(pointer + "/" + field.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .forEach(field -> sorted.set(
                        text(field.getKey()),
                        field.getKey().equals("metadata") && collection
                                ? listMetadata(pointer, field.getValue())
                                : node(pointer + "/" + field.getKey(), field.getKey(), field.getValue(), false)));
        return sorted;
    }

    private JsonNode listMetadata(String pointer, JsonNode metadata) {
        var sorted = Dialogue.JSON.createObjectNode();
        metadata.propertyStream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(field -> sorted.set(
                        field.getKey(),
                        node(pointer + "/metadata/" + field.getKey(), field.getKey(), field.getValue(), true)));
        return sorted;
    }

    private static boolean isBookmark(ObjectNode object) {
        return object.path("metadata").has("resourceVersion")
                && !object.path("metadata").has("name")
                && !object.path("metadata").has("uid");
    }

    private ArrayNode array(String pointer, ArrayNode array) {
        List<JsonNode> items = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) items.add(node(pointer + "/" + i, "", array.get(i), false));
        // What is sorted by a generated name comes in another order each time.
        var generated = items.stream().anyMatch(item -> item.path("metadata").has("generateName"));
        // And the order of managers depends on whether two writes fell into the same second.
        if (generated || pointer.endsWith("/managedFields")) items.sort(Comparator.comparing(JsonNode::toString));
        return Dialogue.JSON.createArrayNode().addAll(items);
    }

    private String scalar(String key, String value, boolean list) {
        return switch (key) {
            case "resourceVersion" ->
                value.matches("\\d{1,20}") && !value.equals("0") ? list ? "(version)" : word("version", value) : value;
            case "clusterIP" -> value.isEmpty() || value.equals("None") ? value : "(cluster address)";
            case "continue" -> value.isEmpty() ? value : "(continue)";
            default -> text(value);
        };
    }

    private String word(String kind, String value) {
        return words.computeIfAbsent(
                kind.equals("version") ? "version " + value : value,
                _ -> kind + "-" + counts.merge(kind, 1, Integer::sum));
    }

    /** Replaces in running text. */
    String text(String raw) {
        var text = UID.matcher(raw).replaceAll(match -> word("uid", match.group()));
        text = TIME.matcher(text).replaceAll(match -> recent(match.group()) ? timeWord(match.group(1)) : match.group());
        text = ADDRESS.matcher(text).replaceAll("(cluster address)");
        if (SPEAKS_OF_VERSIONS.matcher(text).find()) {
            text = NUMBER.matcher(text)
                    .replaceAll(match -> knownNumbers.contains(match.group()) ? match.group() : "(number)");
        }
        return replaceWords(text);
    }

    private String replaceWords(String text) {
        var result = text;
        // Long ones first: a generated name may hold a hash that is a word itself.
        var longest = words.entrySet().stream()
                .filter(word -> !word.getKey().startsWith("version "))
                .sorted(Comparator.comparingInt(word -> -word.getKey().length()))
                .toList();
        for (var word : longest) result = result.replace(word.getKey(), word.getValue());
        return result;
    }

    /** Times that a story writes itself are old ones, and are compared. */
    private static boolean recent(String time) {
        return Duration.between(Instant.parse(time), Instant.now()).abs().compareTo(Duration.ofDays(2)) < 0;
    }

    private static String timeWord(@Nullable String fraction) {
        return fraction == null ? "(time)" : "(time with " + (fraction.length() - 1) + " digits)";
    }

    private boolean isLeftOut(String pointer) {
        return leftOut.stream().anyMatch(pattern -> matches(pattern, pointer));
    }

    private static boolean matches(String pattern, String pointer) {
        var regex = Pattern.quote(pattern).replace("*", "\\E[^/]+\\Q");
        return pointer.matches(regex);
    }
}
