package dev.berth.web.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The place of a value in a JSON document, by its unescaped steps: {@code of("metadata", "annotations",
 * "fudo.org/gpu.uuid")} is {@code /metadata/annotations/fudo.org~1gpu.uuid}.
 */
public record JsonPointer(List<String> steps) {
    public JsonPointer {
        steps = List.copyOf(steps);
    }

    public static JsonPointer of(String... steps) {
        return new JsonPointer(List.of(steps));
    }

    public JsonPointer with(String step) {
        var longer = new ArrayList<>(steps);
        longer.add(step);
        return new JsonPointer(longer);
    }

    public JsonPointer with(int index) {
        return with(Integer.toString(index));
    }

    JsonPointer parent() {
        return new JsonPointer(steps.subList(0, steps.size() - 1));
    }

    String last() {
        return steps.getLast();
    }

    boolean isRoot() {
        return steps.isEmpty();
    }

    /** As RFC 6901 writes it. */
    @Override
    public String toString() {
        return steps.stream()
                .map(step -> "/" + step.replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining());
    }
}
