package dev.berth.core;

/** A mark that keeps away whoever does not tolerate it. */
public record Taint(String key, String value, Effect effect) {
    /** What the mark does; only {@code NONE} keeps nobody away. */
    public enum Effect {
        NONE,
        NO_SCHEDULE,
        NO_EXECUTE
    }

    public boolean keepsAway() {
        return effect != Effect.NONE;
    }

    @Override
    public String toString() {
        return value.isEmpty() ? key : key + "=" + value;
    }
}
