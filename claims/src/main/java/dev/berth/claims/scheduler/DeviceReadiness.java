package dev.berth.claims.scheduler;

import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.status.Held;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Devices that must be prepared before their pod is bound: their driver says in the claim's status how far it is. */
final class DeviceReadiness {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final ResourceBook book;

    DeviceReadiness(ResourceBook book) {
        this.book = book;
    }

    static boolean isNeeded(ResourceClaim claim) {
        return Held.results(claim).stream()
                .anyMatch(result -> !Given.list(result.getBindingConditions()).isEmpty());
    }

    /** Waits until all devices are ready; why not, if one failed or it took too long. */
    Optional<String> await(List<ResourceClaim> claims) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        for (var claim : claims.stream().filter(DeviceReadiness::isNeeded).toList()) {
            var metadata = claim.getMetadata();
            while (true) {
                var now = book.find(metadata.getNamespace(), metadata.getName()).orElse(claim);
                var failed = failed(now);
                if (failed.isPresent()) {
                    return failed;
                }
                if (ready(now)) {
                    break;
                }
                if (System.nanoTime() > deadline) {
                    return Optional.of("the devices of claim %s were not ready within %d s"
                            .formatted(metadata.getName(), LONGEST.toSeconds()));
                }
                try {
                    TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return Optional.of("the scheduler is stopping");
                }
            }
        }
        return Optional.empty();
    }

    static boolean ready(ResourceClaim claim) {
        return Held.results(claim).stream()
                .allMatch(result -> Given.list(result.getBindingConditions()).stream()
                        .allMatch(type -> holds(claim, result, type).isPresent()));
    }

    static Optional<String> failed(ResourceClaim claim) {
        return Held.results(claim).stream()
                .flatMap(result -> Given.list(result.getBindingFailureConditions()).stream()
                        .flatMap(type -> holds(claim, result, type).stream())
                        .map(condition -> "device %s of claim %s could not be prepared: %s"
                                .formatted(
                                        result.getDevice(),
                                        claim.getMetadata().getName(),
                                        Given.text(condition.getMessage()))))
                .findFirst();
    }

    private static Optional<Condition> holds(ResourceClaim claim, DeviceRequestAllocationResult result, String type) {
        return Given.list(claim.getStatus().getDevices()).stream()
                .filter(device -> result.getDriver().equals(device.getDriver())
                        && result.getPool().equals(device.getPool())
                        && result.getDevice().equals(device.getDevice()))
                .flatMap(device -> Given.list(device.getConditions()).stream())
                .filter(condition -> type.equals(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst();
    }
}
