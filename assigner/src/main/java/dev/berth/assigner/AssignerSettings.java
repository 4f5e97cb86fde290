package dev.berth.assigner;

import dev.berth.assigner.reservation.Rhythm;
import dev.berth.assigner.wire.AssignmentPatch;
import dev.berth.assigner.wire.CdiFormat;
import dev.berth.assigner.wire.Pin;
import dev.berth.core.policy.FewestFree;
import dev.berth.core.policy.Policy;
import dev.berth.kube.DnsName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How the assigner works.
 *
 * @param claimsNamespace where the Leases are
 * @param policy which of several GPUs that would do are taken
 * @param patience how long an admission may take; the API server waits ten seconds unless told otherwise
 * @param finalizeToken the file with the token that callers of {@code /finalize} must have; everybody may without
 */
public record AssignerSettings(
        String claimsNamespace,
        Policy policy,
        Rhythm rhythm,
        AssignmentPatch patch,
        Duration patience,
        Optional<Path> finalizeToken) {

    public static final AssignerSettings DEFAULT = new AssignerSettings(
            "gpu-claims",
            new FewestFree(),
            new Rhythm(Duration.ofMinutes(1), 0.2, RandomGenerator.getDefault()),
            new AssignmentPatch(Pin.NODE_NAME, CdiFormat.UPSTREAM),
            Duration.ofSeconds(9),
            Optional.empty());

    public AssignerSettings {
        if (!DnsName.isLabel(claimsNamespace)) {
            throw new IllegalArgumentException(
                    "the claims namespace '%s' is no name of a namespace: small letters, digits and dashes, at most 63"
                            .formatted(claimsNamespace));
        }
    }

    public AssignerSettings withPolicy(Policy other) {
        return new AssignerSettings(claimsNamespace, other, rhythm, patch, patience, finalizeToken);
    }

    public AssignerSettings withFinalizeToken(Path file) {
        return new AssignerSettings(claimsNamespace, policy, rhythm, patch, patience, Optional.of(file));
    }
}
