package dev.berth.kube.lease;

import java.time.Duration;
import java.util.Map;

/** What somebody wants written into a Lease: who holds it, for how long, and the marks a door puts on it. */
public record LeaseClaim(
        String name, String holder, Duration duration, Map<String, String> labels, Map<String, String> annotations) {
    public LeaseClaim {
        if (holder.isBlank()) {
            throw new IllegalArgumentException("lease %s is claimed by nobody".formatted(name));
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("lease %s is claimed for less than a second".formatted(name));
        }
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
    }

    public LeaseClaim(String name, String holder, Duration duration) {
        this(name, holder, duration, Map.of(), Map.of());
    }
}
