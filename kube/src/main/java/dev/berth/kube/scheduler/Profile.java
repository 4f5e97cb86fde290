package dev.berth.kube.scheduler;

import java.util.Optional;

/**
 * One name under which the scheduler works.
 *
 * @param schedulerName what its pods have as their {@code schedulerName}
 * @param extender who is asked about the nodes that would do, for the pods that it minds
 */
public record Profile(String schedulerName, Optional<HttpExtender> extender) {
    public static Profile plain(String schedulerName) {
        return new Profile(schedulerName, Optional.empty());
    }
}
