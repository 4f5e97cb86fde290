package dev.berth.pinner.map;

import dev.berth.core.explain.Shown;

/** A line of a map that is not as it should be, and why. */
public record LineProblem(int line, String text, String what) {
    public String words() {
        return "line %d '%s': %s".formatted(line, Shown.of(text), what);
    }
}
