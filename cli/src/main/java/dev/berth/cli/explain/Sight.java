package dev.berth.cli.explain;

import dev.berth.cli.Complaint;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionException;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.explain.Explainer;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.explain.NodeReport;
import dev.berth.kube.explain.Picture;
import dev.berth.kube.explain.PodReport;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One look at a cluster, for a command that ends. */
public final class Sight implements AutoCloseable {
    private static final Duration FILLING = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final Lookout lookout;
    private final Explainer explainer;
    private final Picture picture;

    private Sight(Cluster cluster, Lookout lookout) {
        this.cluster = cluster;
        this.lookout = lookout;
        this.explainer = new Explainer(lookout);
        this.picture = lookout.picture();
    }

    /** @throws ConnectionException if the cluster cannot be read */
    public static Sight open(ConnectionSettings settings) {
        var cluster = Cluster.connect(settings);
        boolean open = false;
        try {
            var lookout = Lookout.start(cluster, Advocates.all());
            if (!lookout.awaitSynced(FILLING)) {
                var unknown = String.join(", ", lookout.unknown());
                lookout.close();
                throw new ConnectionException("could not be read within %d s: %s; may you list all of it?"
                        .formatted(FILLING.toSeconds(), unknown));
            }
            open = true;
            return new Sight(cluster, lookout);
        } finally {
            if (!open) {
                cluster.close();
            }
        }
    }

    /** All that is seen. */
    public Lookout lookout() {
        return lookout;
    }

    public String namespace(@Nullable String given) {
        return Objects.requireNonNullElseGet(given, cluster::namespace);
    }

    /** A pod of the server by {@code NAMESPACE/NAME}, or by its name in the namespace. */
    public Pod pod(String text, @Nullable String namespace) {
        int slash = text.indexOf('/');
        var where = slash < 0 ? namespace(namespace) : text.substring(0, slash);
        var name = text.substring(slash + 1);
        return lookout.pods()
                .find(where, name)
                .orElseThrow(() -> new Complaint.BadInput("there is no pod %s/%s".formatted(where, name)));
    }

    Node node(String name) {
        return lookout.nodes().find("", name).orElseThrow(() -> new Complaint.BadInput("there is no node " + name));
    }

    PodReport report(Pod pod) {
        return explainer.pod(pod, picture);
    }

    PodReport report(Pod pod, NodeName node) {
        return explainer.podOn(node, pod, picture);
    }

    /** A pod of a file, as if it were created in this namespace now. */
    PodReport report(Pod pod, @Nullable String namespace) {
        if (Objects.requireNonNullElse(pod.getMetadata().getNamespace(), "").isEmpty()) {
            pod.getMetadata().setNamespace(namespace(namespace));
        }
        return report(pod);
    }

    public NodeReport report(Node node) {
        return explainer.node(node, picture);
    }

    @Override
    public void close() {
        lookout.close();
        cluster.close();
    }
}
