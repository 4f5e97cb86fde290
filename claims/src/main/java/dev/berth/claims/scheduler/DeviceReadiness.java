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
import java.util.function.Supplier;

/** Devices that must be prepared before their pod is bound: their driver says in the claim's status how far it is. */
final class DeviceReadiness {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    /** Goes aside while it waits, so that nobody has to wait for it. */
    @FunctionalInterface
    interface Aside {
        Aside NOT = Supplier::get;

        Optional<String> during(Supplier<Optional<String>> wait);
    }

    private final ResourceBook book;
    private final Duration longest;
    private final Aside aside;

    /** @param longest how long devices may take to become ready */
    DeviceReadiness(ResourceBook book, Duration longest, Aside aside) {
        this.book = book;
        this.longest = longest;
        this.aside = aside;
    }

    static boolean isNeeded(ResourceClaim claim) {
        return Held.results(claim).stream()
                .anyMatch(result -> !Given.list(result.getBindingConditions()).isEmpty());
    }

    /** Waits until all devices are ready; why not, if one failed or it took too long. */
    Optional<String> await(List<ResourceClaim> claims) {
        var waiting = claims.stream().filter(DeviceReadiness::isNeeded).toList();
        return waiting.isEmpty() ? Optional.empty() : aside.during(() -> awaitAll(waiting));
    }

    private Optional<String> awaitAll(List<ResourceClaim> claims) {
        long deadline = System.nanoTime() + longest.toNanos();
        for (var claim : claims) {
            var metadata = claim.getMetadata();
            while (true) {
                var found = book.find(metadata.getNamespace(), metadata.getName())
                        .filter(known -> !Held.results(known).isEmpty());
                if (found.isEmpty()) {
                    return Optional.of(
                            "claim %s lost its devices before they were ready".formatted(metadata.getName()));
                }
                var now = found.get();
                var failed = failed(now);
                if (failed.isPresent()) {
                    return failed;
                }
                if (ready(now)) {
                    break;
                }
                if (System.nanoTime() > deadline) {
                    return Optional.of("the devices of claim %s were not ready within %d s"
                            .formatted(metadata.getName(), longest.toSeconds()));
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
