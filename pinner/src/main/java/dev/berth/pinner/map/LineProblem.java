package dev.berth.pinner.map;

/** A line of a map that is not as it should be, and why. */
public record LineProblem(int line, String text, String what) {
    private static final int LONGEST = 60;

    public String words() {
        var shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
        return "line %d '%s': %s".formatted(line, shown, what);
    }
}
