package dev.berth.advisor.webhook;

import dev.berth.kube.event.Events;
import dev.berth.kube.event.Happening;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Tells a namespace, now and then, that its pods are created without advice. */
final class Unadvised {
    static final String REASON = "SchedulerUnavailable";

    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final int MOST_NAMESPACES = 4096;

    private final Optional<Events> events;
    private final InstantSource clock;
    private final Map<String, Instant> lastTold = new LinkedHashMap<>(16, 0.75f, true);

    Unadvised(Optional<Events> events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    void tell(Subject subject, String why) {
        if (events.isPresent() && due(subject.namespace())) {
            var regarding = new ObjectReferenceBuilder()
                    .withApiVersion(subject.object().path("apiVersion").asText("v1"))
                    .withKind(subject.kind())
                    .withNamespace(subject.namespace())
                    .withName(name(subject))
                    .build();
            events.get()
                    .tell(new Happening(
                            regarding,
                            Happening.Type.WARNING,
                            REASON,
                            "Advising",
                            "Created without advice on its GPU: %s".formatted(why)));
        }
    }

    /** A name to be made up ends in a dash, with which no event's name can go on. */
    private static String name(Subject subject) {
        var name = subject.name().replaceFirst("[-.]+$", "");
        return name.isEmpty() ? "pod" : name;
    }

    private synchronized boolean due(String namespace) {
        var now = clock.instant();
        var last = lastTold.get(namespace);
        if (last != null && now.isBefore(last.plus(PAUSE))) {
            return false;
        }
        lastTold.put(namespace, now);
        if (lastTold.size() > MOST_NAMESPACES) {
            lastTold.remove(lastTold.keySet().iterator().next());
        }
        return true;
    }
}
