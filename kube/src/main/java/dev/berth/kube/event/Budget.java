package dev.berth.kube.event;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many new events an object may still cause: a few at once, then one now and then. */
final class Budget {
    private record Bucket(double tokens, Instant at) {}

    private static final int MOST_OBJECTS = 4096;

    private final int burst;
    private final Duration refill;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    Budget(int burst, Duration refill) {
        this.burst = burst;
        this.refill = refill;
    }

    boolean spend(String object, Instant now) {
        var bucket = buckets.getOrDefault(object, new Bucket(burst, now));
        double gained = (double) Duration.between(bucket.at(), now).toMillis() / refill.toMillis();
        double tokens = Math.min(burst, bucket.tokens() + Math.max(0, gained));
        boolean enough = tokens >= 1;
        buckets.put(object, new Bucket(enough ? tokens - 1 : tokens, now));
        if (buckets.size() > MOST_OBJECTS) {
            // The object that caused nothing for the longest time starts anew, with a full bucket that it likely has.
            buckets.remove(buckets.keySet().iterator().next());
        }
        return enough;
    }
}
