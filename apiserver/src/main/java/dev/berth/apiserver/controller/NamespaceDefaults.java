package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.Optional;

/** Puts what every namespace of a cluster has into each: the default service account and the cluster's CA. */
final class NamespaceDefaults implements Controller {
    private static final String CA = "kube-root-ca.crt";

    private final Cluster cluster;
    private final String caCertificate;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror namespaces;

    /** @param caCertificate PEM; empty where the server speaks plain HTTP */
    NamespaceDefaults(Cluster cluster, String caCertificate) {
        this.cluster = cluster;
        this.caCertificate = caCertificate;
        this.namespaces = cluster.mirror(Resources.NAMESPACES);
        namespaces.follow((_, now) -> {
            if (now != null && !Fields.deleting(now)) queue.add(Key.of(now));
        });
        cluster.metadata(Resources.SERVICE_ACCOUNTS).follow((before, now) -> {
            if (now == null && before != null && Fields.name(before).equals("default")) {
                queue.add(new Key("", Fields.namespace(before)));
            }
        });
    }

    @Override
    public String name() {
        return "serviceaccount-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode namespace = namespaces.get(key).orElse(null);
        if (namespace == null || Fields.deleting(namespace)) return Optional.empty();
        var account = JsonNodeFactory.instance.objectNode();
        account.put("apiVersion", "v1").put("kind", "ServiceAccount");
        account.putObject("metadata").put("name", "default").put("namespace", key.name());
        ensure(Resources.SERVICE_ACCOUNTS, key.name(), account);
        var bundle = JsonNodeFactory.instance.objectNode();
        bundle.put("apiVersion", "v1").put("kind", "ConfigMap");
        ObjectNode metadata = bundle.putObject("metadata").put("name", CA).put("namespace", key.name());
        metadata.putObject("annotations")
                .put(
                        "kubernetes.io/description",
                        "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.");
        bundle.putObject("data").put("ca.crt", caCertificate);
        ensure(Resources.CONFIG_MAPS, key.name(), bundle);
        return Optional.empty();
    }

    private void ensure(Resource resource, String namespace, ObjectNode object) {
        if (cluster.api().get(resource, namespace, Fields.name(object)).isPresent()) return;
        try {
            cluster.create(resource, namespace, object);
        } catch (ApiException refused) {
            // Somebody else was faster, or the namespace is on its way out.
            if (refused.code() != 409 && refused.code() != 403 && refused.code() != 404) throw refused;
        }
    }
}
