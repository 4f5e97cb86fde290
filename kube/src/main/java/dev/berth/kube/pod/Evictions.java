package dev.berth.kube.pod;

import dev.berth.kube.Cluster;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.PreconditionsBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * Asks pods to leave through the eviction subresource, so that PodDisruptionBudgets are kept. One try each: an eviction
 * that a budget forbids is an answer, not a failure to be repeated.
 */
public final class Evictions {
    private static final int TOO_MANY = 429;

    private final Cluster cluster;

    public Evictions(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Evicts this pod, and not another that has its name by now. */
    public EvictionOutcome evict(String namespace, String name, String uid) {
        var eviction = new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withPreconditions(
                                new PreconditionsBuilder().withUid(uid).build())
                        .build())
                .build();
        try {
            cluster.courier().tell("POST", PodPath.of(namespace, name) + "/eviction", eviction);
            return new EvictionOutcome.Evicted();
        } catch (KubernetesClientException problem) {
            if (problem.getCode() == TOO_MANY) {
                return new EvictionOutcome.Forbidden(Failure.words(problem));
            }
            return switch (Failure.of(problem)) {
                case ABSENT, CONFLICT -> new EvictionOutcome.Gone();
                case REFUSED, UNKNOWN, TURNED_AWAY, UNREACHABLE -> new EvictionOutcome.Refused(Failure.words(problem));
            };
        }
    }
}
