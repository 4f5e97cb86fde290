package dev.berth.extender.wire;

import dev.berth.core.explain.Shown;

/**
 * Names that a request brings along. They become parts of addresses at the API server and lines of ledgers that every
 * replica reads, so what no API server would have let in goes no further than here.
 */
public final class Names {
    private static final int LONGEST = 253;

    private Names() {}

    /** @throws MalformedRequestException for a pod that cannot be asked for by its name */
    public static void require(GpuPod pod) {
        require("the Pod's namespace", pod.namespace());
        require("the Pod's name", pod.name());
        if (!pod.uid().isEmpty()) {
            require("the Pod's uid", pod.uid());
        }
    }

    /** @throws MalformedRequestException naming what this is the name of */
    public static void require(String what, String name) {
        if (name.isEmpty()) {
            throw new MalformedRequestException(what + " is missing");
        }
        if (!usable(name)) {
            throw new MalformedRequestException("%s cannot be '%s'".formatted(what, Shown.of(name)));
        }
    }

    /** No stricter than what is safe: an API server says itself what it thinks of capitals and underscores. */
    static boolean usable(String name) {
        if (name.isEmpty() || name.length() > LONGEST || !letterOrDigit(name.charAt(0))) {
            return false;
        }
        for (int place = 1; place < name.length(); place++) {
            char each = name.charAt(place);
            if (!letterOrDigit(each) && each != '-' && each != '.' && each != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean letterOrDigit(char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || (each >= 'A' && each <= 'Z');
    }
}
