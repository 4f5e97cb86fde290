package dev.berth.e2e.extender;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Watches the API server itself and notes every moment at which a device is given out more than once over. */
final class Observer implements AutoCloseable {
    private record Device(String node, String index) {}

    private record Amount(long cores, long memory) {}

    private record Holding(Device device, Amount amount) {}

    private final long memoryEach;
    private final Map<String, Holding> holdings = new HashMap<>();
    private final Map<Device, Amount> sums = new HashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final SharedIndexInformer<Pod> informer;

    Observer(SliceCluster cluster, long memoryEach) {
        this.memoryEach = memoryEach;
        this.informer = cluster.client.pods().inNamespace(cluster.work()).inform(new Watching());
    }

    /** Moments at which too much of a device was given out. */
    List<String> complaints() {
        return complaints;
    }

    /** How many pods it has seen with a device. */
    synchronized int placed() {
        return holdings.size();
    }

    private synchronized void saw(Pod pod, boolean gone) {
        var name = pod.getMetadata().getName();
        var before = holdings.remove(name);
        if (before != null) {
            add(before.device(), -before.amount().cores(), -before.amount().memory());
        }
        var annotations = SliceCluster.annotations(pod);
        var bound = pod.getSpec().getNodeName();
        var node = bound == null || bound.isEmpty() ? annotations.get(SliceCluster.NODE) : bound;
        var index = annotations.get(SliceCluster.INDEX);
        if (gone || node == null || index == null) {
            return;
        }
        var limits = pod.getSpec().getContainers().getFirst().getResources().getLimits();
        var amount = new Amount(units(limits.get(SliceCluster.CORES)), units(limits.get(SliceCluster.MEMORY)));
        var device = new Device(node, index);
        holdings.put(name, new Holding(device, amount));
        var sum = add(device, amount.cores(), amount.memory());
        if (sum.cores() > 100 || sum.memory() > memoryEach) {
            complaints.add("%s holds %s with pod %s".formatted(device, sum, name));
        }
    }

    private static long units(@Nullable Quantity quantity) {
        return quantity == null ? 0 : Long.parseLong(quantity.getAmount());
    }

    private Amount add(Device device, long cores, long memory) {
        return sums.merge(
                device,
                new Amount(cores, memory),
                (a, b) -> new Amount(a.cores() + b.cores(), a.memory() + b.memory()));
    }

    @Override
    public void close() {
        informer.close();
    }

    private final class Watching implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            saw(pod, false);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            saw(pod, false);
        }

        @Override
        public void onDelete(Pod pod, boolean lastStateUnknown) {
            saw(pod, true);
        }
    }
}
