package dev.berth.advisor.cluster;

import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A cluster's surroundings, from watches. */
public final class WatchedCluster implements Surroundings, AutoCloseable {
    /** One for all pods: nobody changes what is in a cache. */
    private static final PodSpec NO_SPEC = new PodSpec();

    private static final PodStatus NO_STATUS = new PodStatus();

    private final Cache<Node> nodes;
    private final Cache<Pod> pods;
    private final Cache<PriorityClass> classes;
    private final RunningJobs jobs = new RunningJobs();
    private final AtomicLong nodeChanges = new AtomicLong();
    private volatile Seen seen = new Seen(-1, GpuTypes.FIXED);

    /** The types as they were after so many changes. */
    private record Seen(long changes, GpuTypes types) {}

    private WatchedCluster(Cluster cluster) {
        nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(), WatchedCluster::slim);
        nodes.onChange(this::nodeChanged);
        pods = Cache.of(cluster, Listing.of(Pod.class).where("status.phase=Running"), Map.of(), WatchedCluster::slim);
        pods.onChange(this::podChanged);
        classes = Cache.of(cluster, Listing.of(PriorityClass.class));
    }

    /** Returns at once; {@link #problem} says when all is known. */
    public static WatchedCluster start(Cluster cluster) {
        var watched = new WatchedCluster(cluster);
        watched.nodes.start();
        watched.pods.start();
        watched.classes.start();
        return watched;
    }

    /** Labels and whether it is open are all that is looked at. */
    private static void slim(Node node) {
        node.setStatus(null);
        node.getMetadata().setAnnotations(Map.of());
    }

    /** What is left is the job's type, and only on a pod that uses a GPU. */
    private static void slim(Pod pod) {
        var type = GpuResources.wantedBy(pod) ? RunningJobs.typeOf(pod) : Optional.<String>empty();
        var metadata = pod.getMetadata();
        metadata.setAnnotations(type.map(known -> Map.of(Keys.JOB_TYPE, known)).orElse(Map.of()));
        metadata.setLabels(Map.of());
        metadata.setOwnerReferences(List.of());
        pod.setSpec(NO_SPEC);
        pod.setStatus(NO_STATUS);
    }

    private void nodeChanged(Change<Node> change) {
        if (change instanceof Change.Updated<Node>(var before, var newest)
                && Objects.equals(
                        before.getMetadata().getLabels(), newest.getMetadata().getLabels())
                && Objects.equals(
                        before.getSpec().getUnschedulable(), newest.getSpec().getUnschedulable())) {
            return;
        }
        nodeChanges.incrementAndGet();
    }

    private void podChanged(Change<Pod> change) {
        var pod = change.newest();
        var uid = pod.getMetadata().getUid();
        if (change instanceof Change.Removed<Pod>) {
            jobs.ended(uid);
        } else {
            RunningJobs.typeOf(pod).ifPresentOrElse(type -> jobs.runs(uid, type), () -> jobs.ended(uid));
        }
    }

    @Override
    public GpuTypes gpuTypes() {
        var known = seen;
        long changes = nodeChanges.get();
        if (known.changes() != changes) {
            known = new Seen(changes, GpuTypes.of(nodes.all()));
            seen = known;
        }
        return known.types();
    }

    @Override
    public List<String> runningJobs() {
        return jobs.list();
    }

    @Override
    public boolean hasPriorityClass(String name) {
        return classes.find("", name).isPresent();
    }

    @Override
    public boolean isDefaultPriorityClass(String name) {
        return classes.find("", name)
                .filter(found -> Boolean.TRUE.equals(found.getGlobalDefault()))
                .isPresent();
    }

    @Override
    public Optional<String> problem() {
        if (!nodes.synced()) {
            return Optional.of("the nodes are not known yet");
        }
        if (!pods.synced()) {
            return Optional.of("the pods are not known yet");
        }
        return classes.synced() ? Optional.empty() : Optional.of("the priority classes are not known yet");
    }

    @Override
    public void close() {
        nodes.close();
        pods.close();
        classes.close();
    }
}
