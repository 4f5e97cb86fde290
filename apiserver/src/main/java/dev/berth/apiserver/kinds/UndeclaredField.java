package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of an unknown field as server-side apply writes it: {@code .spec.containers[name="c"].speed} where other
 * decoding says {@code spec.containers[0].speed}.
 */
final class UndeclaredField {
    private static final Pattern COMPLAINT = Pattern.compile("unknown field \"(.+)\"");
    private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)\\]");

    private UndeclaredField() {}

    /** Empty when the complaint is about something else. */
    static Optional<String> of(String complaint, JsonNode object, Schema schema) {
        Matcher matcher = COMPLAINT.matcher(complaint);
        if (!matcher.matches()) return Optional.empty();
        StringBuilder path = new StringBuilder();
        JsonNode value = object;
        Optional<Schema> shape = Optional.of(schema);
        Matcher step = STEP.matcher(matcher.group(1));
        while (step.find()) {
            if (step.group(1) != null) {
                path.append('.').append(step.group(1));
                value = value.path(step.group(1));
                String name = step.group(1);
                shape = shape.flatMap(each -> each.property(name));
            } else {
                int index = Integer.parseInt(step.group(2));
                value = value.path(index);
                path.append('[').append(element(shape, value, index)).append(']');
                shape = shape.flatMap(Schema::items);
            }
        }
        return Optional.of(path.toString());
    }

    private static String element(Optional<Schema> list, JsonNode value, int index) {
        List<String> keys = new ArrayList<>();
        for (String key : list.map(Schema::listMapKeys).orElse(List.of())) keys.add(key + "=" + value.path(key));
        return keys.isEmpty() ? Integer.toString(index) : String.join(",", keys);
    }
}
