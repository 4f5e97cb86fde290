package dev.berth.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** How a pod says what a simulated node is to do with it. */
final class Annotations {
    static final String RUN_SECONDS = "berth.dev/run-seconds";
    static final String STOP_SECONDS = "berth.dev/stop-seconds";
    static final String FAIL = "berth.dev/fail";
    private static final double LONGEST = 10 * 365 * 86_400.0;

    private Annotations() {}

    /** How long it runs before it ends by itself; empty for as long as nobody stops it. */
    static Optional<Duration> runTime(JsonNode pod) {
        boolean again = pod.path("spec").path("restartPolicy").asText("Always").equals("Always");
        return again ? Optional.empty() : seconds(pod, RUN_SECONDS);
    }

    /** How long it takes to stop when it is deleted: at once, unless it says otherwise, and never beyond its grace. */
    static Duration stopTime(JsonNode pod) {
        long grace = pod.path("metadata").path("deletionGracePeriodSeconds").asLong();
        Duration wanted = seconds(pod, STOP_SECONDS).orElse(Duration.ZERO);
        Duration most = Duration.ofSeconds(grace);
        return wanted.compareTo(most) > 0 ? most : wanted;
    }

    static boolean fails(JsonNode pod) {
        return annotation(pod, FAIL).equals("true");
    }

    private static Optional<Duration> seconds(JsonNode pod, String annotation) {
        String text = annotation(pod, annotation);
        if (text.isEmpty()) return Optional.empty();
        try {
            double seconds = Double.parseDouble(text);
            if (!(seconds >= 0) || seconds > LONGEST) return Optional.empty();
            return Optional.of(Duration.ofNanos((long) (seconds * 1e9)));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static String annotation(JsonNode pod, String name) {
        return pod.path("metadata").path("annotations").path(name).asText("");
    }
}
