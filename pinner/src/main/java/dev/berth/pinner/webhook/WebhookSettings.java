package dev.berth.pinner.webhook;

/**
 * How the webhook works.
 *
 * @param schedulerName the pods that name this scheduler are its business
 * @param strict denies pods whose map is malformed
 * @param respectExisting keeps a container's own {@code CUDA_VISIBLE_DEVICES}
 */
public record WebhookSettings(String schedulerName, boolean strict, boolean respectExisting) {
    public WebhookSettings {
        if (schedulerName.isBlank()) {
            throw new IllegalArgumentException("the scheduler has no name");
        }
    }
}
