package dev.berth.assigner.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The GPUs of one node and the labels of each, as they stand in the node's annotation: base64 of a JSON object. */
public record DeviceLabels(SortedMap<String, SortedSet<String>> byUuid) {
    public static final DeviceLabels NONE = new DeviceLabels(Collections.emptySortedMap());

    private static final int LONGEST_UUID = 253;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    /** An annotation that cannot be read; the message says why. */
    public static final class UnreadableException extends Exception {
        UnreadableException(String message) {
            super(message);
        }
    }

    public DeviceLabels {
        var copy = new TreeMap<String, SortedSet<String>>();
        byUuid.forEach((uuid, labels) -> copy.put(uuid, Collections.unmodifiableSortedSet(new TreeSet<>(labels))));
        byUuid = Collections.unmodifiableSortedMap(copy);
    }

    public static DeviceLabels decode(String annotation) throws UnreadableException {
        JsonNode tree;
        try {
            tree = JSON.readTree(Base64.getMimeDecoder().decode(strict(annotation)));
        } catch (IllegalArgumentException notBase64) {
            throw new UnreadableException("it is not base64: " + notBase64.getMessage());
        } catch (JsonProcessingException notJson) {
            throw new UnreadableException("it is not base64 of JSON: " + notJson.getOriginalMessage());
        } catch (IOException notJson) {
            throw new UnreadableException("it is not base64 of JSON");
        }
        if (!tree.isObject()) {
            throw new UnreadableException("it holds no JSON object of GPU UUIDs");
        }
        var devices = new TreeMap<String, SortedSet<String>>();
        for (var device : tree.properties()) {
            devices.put(uuid(device.getKey()), labels(device.getKey(), device.getValue()));
        }
        return new DeviceLabels(devices);
    }

    /** The same as an annotation's value. */
    public String encode() {
        var tree = JSON.createObjectNode();
        byUuid.forEach((uuid, labels) -> {
            var list = tree.putArray(uuid);
            labels.forEach(list::add);
        });
        return Base64.getEncoder().encodeToString(tree.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** With these devices added or replaced. */
    public DeviceLabels with(Map<String, ? extends SortedSet<String>> devices) {
        var all = new TreeMap<String, SortedSet<String>>(byUuid);
        all.putAll(devices);
        return new DeviceLabels(all);
    }

    /** The MIME decoder takes line breaks, as {@code base64} without {@code -w0} makes them, but also any rubbish. */
    private static String strict(String annotation) {
        annotation.chars().filter(character -> !base64(character)).findFirst().ifPresent(character -> {
            throw new IllegalArgumentException("it has the character '%s'".formatted(Character.toString(character)));
        });
        return annotation;
    }

    private static boolean base64(int character) {
        return character < 128 && (Character.isLetterOrDigit(character) || "+/=\r\n ".indexOf(character) >= 0);
    }

    /** Whether a GPU can be called so: its Lease must get a name, and lists of UUIDs are written with commas. */
    public static boolean isUuid(String text) {
        return text.length() <= LONGEST_UUID
                && text.strip().equals(text)
                && !text.contains(",")
                && LeaseName.isValid(LeaseName.of(text));
    }

    private static String uuid(String uuid) throws UnreadableException {
        if (!isUuid(uuid)) {
            throw new UnreadableException("'%s' is no GPU's UUID".formatted(uuid));
        }
        return uuid;
    }

    private static SortedSet<String> labels(String uuid, JsonNode list) throws UnreadableException {
        var labels = new TreeSet<String>();
        if (list.isNull()) {
            // The labeller that people use writes null for a model it does not know.
            return labels;
        }
        if (!list.isArray()) {
            throw new UnreadableException("the labels of %s are no list".formatted(uuid));
        }
        for (var label : list) {
            if (!label.isTextual()) {
                throw new UnreadableException("%s has the label %s, which is no text".formatted(uuid, label));
            }
            labels.add(label.textValue());
        }
        return labels;
    }
}
