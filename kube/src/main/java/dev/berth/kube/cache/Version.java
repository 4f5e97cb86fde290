package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Which of two versions of a kind's objects is the newer one, which Kubernetes says of all that are numbers. */
final class Version {
    private Version() {}

    static String of(HasMetadata object) {
        return object.getMetadata().getResourceVersion();
    }

    /** Whether this is surely older; of what is no number nobody knows. */
    static boolean older(String version, String than) {
        return number(version)
                && number(than)
                && (version.length() != than.length() ? version.length() < than.length() : version.compareTo(than) < 0);
    }

    private static boolean number(String version) {
        return !version.isEmpty() && version.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
}
