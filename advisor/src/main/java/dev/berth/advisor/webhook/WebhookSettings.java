package dev.berth.advisor.webhook;

import java.time.Duration;

/**
 * How the webhook works.
 *
 * @param timeout how long the agent may take
 * @param enabled otherwise everything passes as it is
 * @param override replaces the user's own priority class and type of GPU
 */
public record WebhookSettings(Duration timeout, boolean enabled, PriorityBuckets buckets, boolean override) {
    public static final WebhookSettings STANDARD =
            new WebhookSettings(Duration.ofSeconds(5), true, PriorityBuckets.STANDARD, false);

    public WebhookSettings {
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("the agent's time-out must be at least a millisecond");
        }
    }
}
