package dev.berth.kube.pod;

import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.Metadata;
import dev.berth.kube.pod.BindingOutcome.AlreadyBound;
import dev.berth.kube.pod.BindingOutcome.Bound;
import dev.berth.kube.pod.BindingOutcome.Gone;
import dev.berth.kube.pod.BindingOutcome.Refused;
import dev.berth.kube.retry.Failure;
import dev.berth.kube.retry.Repeat;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Binds pods to nodes: a given pod, by its uid, and not one that happens to have its name. */
public final class Bindings {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Cluster cluster;

    public Bindings(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Binds; the annotations go onto the pod in the same step. */
    public BindingOutcome bind(
            String namespace, String name, String uid, NodeName node, Map<String, String> annotations) {
        var binding = binding(namespace, name, uid, node, annotations);
        var lostAnswer = new boolean[1];
        return cluster.retry().call(Repeat.IF_UNKNOWN, PATIENCE, () -> {
            try {
                post(namespace, name, binding);
                return new Bound();
            } catch (KubernetesClientException problem) {
                return switch (Failure.of(problem)) {
                    case ABSENT, CONFLICT -> explain(problem, namespace, name, uid, node, lostAnswer[0]);
                    case REFUSED -> new Refused(Failure.words(problem));
                    case UNKNOWN, TURNED_AWAY, UNREACHABLE -> {
                        lostAnswer[0] |= Failure.of(problem) == Failure.UNKNOWN;
                        throw problem;
                    }
                };
            }
        });
    }

    private static Binding binding(
            String namespace, String name, String uid, NodeName node, Map<String, String> annotations) {
        var metadata = Metadata.named(name);
        metadata.setNamespace(namespace);
        metadata.setUid(uid);
        metadata.setAnnotations(annotations);
        var target = new ObjectReference();
        target.setApiVersion("v1");
        target.setKind("Node");
        target.setName(node.value());
        var binding = new Binding();
        binding.setMetadata(metadata);
        binding.setTarget(target);
        return binding;
    }

    private void post(String namespace, String name, Binding binding) {
        // The answer is a Status, not a Binding, so it is not read as one.
        cluster.courier().tell("POST", PodPath.of(namespace, name) + "/binding", binding);
    }

    private BindingOutcome explain(
            KubernetesClientException problem,
            String namespace,
            String name,
            String uid,
            NodeName node,
            boolean lostAnswer) {
        var pod = cluster.courier().get(PodPath.of(namespace, name), Pod.class);
        if (pod.isEmpty() || !uid.equals(pod.get().getMetadata().getUid())) {
            return new Gone();
        }
        var where = nodeOf(pod.get());
        if (!where.isEmpty()) {
            return lostAnswer && where.equals(node.value()) ? new Bound() : new AlreadyBound(where);
        }
        if (pod.get().getMetadata().getDeletionTimestamp() != null) {
            return new Gone();
        }
        return new Refused(Failure.words(problem));
    }

    private static String nodeOf(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }
}
