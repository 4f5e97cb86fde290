package dev.berth.core;

import java.util.Locale;

/** Through which door a holder came; {@code OUTSIDE} is a pod that none of the doors placed. */
public enum Door {
    ASSIGNER,
    EXTENDER,
    ADVISOR,
    PINNER,
    CLAIMS,
    OUTSIDE;

    /** The name in objects, logs and pages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Door ofLabel(String label) {
        for (var door : values()) {
            if (door.label().equals(label)) {
                return door;
            }
        }
        throw new IllegalArgumentException("not a door: '" + label + "'");
    }
}
