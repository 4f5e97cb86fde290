package dev.berth.e2e.chaos;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the API server by a way of its own, without any code of the doors, and writes down what must never be: a card
 * that is over-held by pods that have a node, a pod that changes its node or has one without a card. Pods come by one
 * watch in the server's order, so whoever got a card after another has given it back is not seen beside him.
 */
final class Watchman implements Watcher<Pod>, AutoCloseable {
    private static final String MAP = "gpu-scheduling-map";
    private static final int WHOLE = 100;

    private final Ground ground;
    private final Map<String, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, String> nodeOfUid = new ConcurrentHashMap<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Sight> sights = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final Watch watch;
    private final AtomicLong seen = new AtomicLong();

    private record Sight(Action action, Pod pod) {}

    Watchman(Ground ground) {
        this.ground = ground;
        this.thread = Thread.ofVirtual().name("watchman").start(this::work);
        this.watch = ground.client.pods().inNamespace(ground.work()).watch(this);
    }

    /** Whoever asks the server from in here holds up the connection that is to bring the answer. */
    @Override
    public void eventReceived(Action action, Pod pod) {
        // A bookmark tells of no pod.
        if (action == Action.BOOKMARK) return;
        sights.add(new Sight(action, pod));
    }

    private void work() {
        try {
            while (true) {
                var sight = sights.take();
                seen.incrementAndGet();
                see(sight.action(), sight.pod());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException blind) {
            wrong.add("the observer sees nothing any more: " + blind);
        }
    }

    private void see(Action action, Pod pod) {
        var name = pod.getMetadata().getName();
        if (action == Action.DELETED) {
            pods.remove(name);
            return;
        }
        pods.put(name, pod);
        var node = node(pod);
        if (node.isEmpty()) return;
        var before = nodeOfUid.putIfAbsent(pod.getMetadata().getUid(), node);
        if (before != null && !before.equals(node)) {
            wrong.add("%s was bound to %s and to %s".formatted(name, before, node));
        }
        if (before == null) look(node, pod);
    }

    /** Somebody has come to this node: who has which of its cards? */
    private void look(String node, Pod guest) {
        var held = new TreeMap<Integer, Map<String, Integer>>();
        var claims = ground.claims();
        if (cards(guest, claims).isEmpty() && ground.isThere(guest)) {
            wrong.add("%s has come to %s and no card is written down for it"
                    .formatted(guest.getMetadata().getName(), node));
        }
        for (var pod : pods.values()) {
            if (!node(pod).equals(node)) continue;
            cards(pod, claims)
                    .forEach((card, share) -> held.computeIfAbsent(card, _ -> new HashMap<>())
                            .merge(pod.getMetadata().getName(), share, Integer::sum));
        }
        held.forEach((card, holders) -> {
            int sum = holders.values().stream().mapToInt(Integer::intValue).sum();
            if (sum > WHOLE) wrong.add("card %d of %s is held by %s".formatted(card, node, holders));
        });
    }

    /** Hundredths of each card, by its index, as the pod's own record says; claims are looked up. */
    static Map<Integer, Integer> cards(Pod pod, List<GenericKubernetesResource> claims) {
        var notes = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        var held = new HashMap<Integer, Integer>();
        if (notes.containsKey("fudo.org/gpu.uuid")) {
            for (var uuid : notes.get("fudo.org/gpu.uuid").split(",")) held.put(lastNumber(uuid), WHOLE);
        } else if (notes.containsKey("tencent.com/predicate-gpu-idx-0")) {
            var limits = pod.getSpec().getContainers().getFirst().getResources().getLimits();
            var share = Integer.parseInt(
                    Objects.requireNonNull(limits.get("tencent.com/vcuda-core")).getAmount());
            for (var index : notes.get("tencent.com/predicate-gpu-idx-0").split(","))
                held.put(Integer.parseInt(index), Math.min(share, WHOLE));
        } else if (notes.containsKey(MAP)) {
            held.put(lastNumber(notes.get(MAP).replace(':', '-')), WHOLE);
        } else {
            claimed(pod.getMetadata().getName(), claims).forEach(card -> held.put(card, WHOLE));
        }
        return held;
    }

    private static List<Integer> claimed(String pod, List<GenericKubernetesResource> claims) {
        var cards = new ArrayList<Integer>();
        for (var claim : claims) {
            var status = Optional.ofNullable(claim.get("status"));
            if (status.isPresent() && status.get().toString().contains(pod)) {
                names(claim).forEach(name -> cards.add(lastNumber(name)));
            }
        }
        return cards;
    }

    private static List<String> names(GenericKubernetesResource claim) {
        List<Map<String, Object>> allocations = Objects.requireNonNullElse(
                claim.get("status", "allocations"), Collections.<Map<String, Object>>emptyList());
        return allocations.stream()
                .map(each -> String.valueOf(each.get("deviceName")))
                .toList();
    }

    private static int lastNumber(String text) {
        return Integer.parseInt(text.substring(text.lastIndexOf('-') + 1));
    }

    static String node(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    /** Those who have a node, as far as it has heard. */
    List<Pod> guests() {
        return pods.values().stream().filter(pod -> !node(pod).isEmpty()).toList();
    }

    boolean bound(String name) {
        var pod = pods.get(name);
        return pod != null && !node(pod).isEmpty();
    }

    boolean gone(String name) {
        return !pods.containsKey(name);
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    long seen() {
        return seen.get();
    }

    @Override
    public void onClose(@Nullable WatcherException cause) {
        if (cause != null) wrong.add("the observer lost its watch: " + cause.getMessage());
    }

    @Override
    public void close() {
        watch.close();
        thread.interrupt();
    }
}
