package dev.berth.kube.fit;

import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The room on every node, kept up to date by what the caches tell, and by this process's own decisions until the caches
 * show them. Writers take turns; readers see each node whole, and never wait.
 */
public final class NodeRooms {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRooms.class);

    private final Map<NodeName, NodeRoom> rooms = new ConcurrentHashMap<>();
    /** Where each pod stands, so that it is found again when it moves or goes. */
    private final Map<String, NodeName> whereabouts = new HashMap<>();
    /** Pods that no cache has shown on their node yet. */
    private final Set<String> assumed = new HashSet<>();
    /** Pods on nodes that are not known, which happens while the caches fill. */
    private final Map<NodeName, Map<String, PodNeeds>> homeless = new HashMap<>();

    private final List<Consumer<String>> takenBack = new CopyOnWriteArrayList<>();

    /** Calls this with the uid of a pod that was assumed to go somewhere and is not going there after all. */
    public void onTakenBack(Consumer<String> listener) {
        takenBack.add(listener);
    }

    public Collection<NodeRoom> all() {
        return rooms.values();
    }

    public Optional<NodeRoom> find(NodeName node) {
        return Optional.ofNullable(rooms.get(node));
    }

    public synchronized void heardNode(Change<Node> change) {
        var name = new NodeName(change.newest().getMetadata().getName());
        if (change instanceof Change.Removed<Node>) {
            var gone = rooms.remove(name);
            if (gone != null && !gone.pods().isEmpty()) {
                homeless.put(name, new HashMap<>(gone.pods()));
            }
            return;
        }
        var known = rooms.get(name);
        if (known != null) {
            rooms.put(name, known.becoming(change.newest()));
            return;
        }
        var room = NodeRoom.empty(change.newest());
        var waiting = homeless.remove(name);
        for (var pod : waiting == null ? Map.<String, PodNeeds>of().values() : waiting.values()) {
            room = room.with(pod);
        }
        rooms.put(name, room);
    }

    public synchronized void heardPod(Change<Pod> change) {
        var pod = change.newest();
        var uid = pod.getMetadata().getUid();
        var node = pod.getSpec().getNodeName();
        if (change instanceof Change.Removed<Pod> || Sighting.finished(pod)) {
            leave(uid);
        } else if (node != null && !node.isEmpty()) {
            try {
                settle(PodNeeds.of(pod), new NodeName(node));
                assumed.remove(uid);
            } catch (IllegalArgumentException malformed) {
                LOG.warn(
                        "pod is not counted on its node: pod={}/{} reason={}",
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getName(),
                        malformed.getMessage());
            }
        }
    }

    /** A decision of this process: the pod counts on the node from now on, until it is seen elsewhere or taken back. */
    public synchronized void assume(PodNeeds pod, NodeName node) {
        if (!whereabouts.containsKey(pod.uid()) || assumed.contains(pod.uid())) {
            settle(pod, node);
            assumed.add(pod.uid());
        }
    }

    /** The pod is not going there after all; one that the caches show somewhere by now stays. */
    public synchronized void takeBack(String uid) {
        if (assumed.contains(uid)) {
            leave(uid);
            takenBack.forEach(listener -> listener.accept(uid));
        }
    }

    private void settle(PodNeeds pod, NodeName node) {
        var before = whereabouts.get(pod.uid());
        if (before != null && !before.equals(node)) {
            leave(pod.uid());
        }
        whereabouts.put(pod.uid(), node);
        var room = rooms.get(node);
        if (room == null) {
            homeless.computeIfAbsent(node, _ -> new HashMap<>()).put(pod.uid(), pod);
        } else {
            rooms.put(node, room.with(pod));
        }
    }

    private void leave(String uid) {
        assumed.remove(uid);
        var node = whereabouts.remove(uid);
        if (node == null) {
            return;
        }
        rooms.computeIfPresent(node, (_, room) -> room.without(uid));
        var waiting = homeless.get(node);
        if (waiting != null) {
            waiting.remove(uid);
            if (waiting.isEmpty()) {
                homeless.remove(node);
            }
        }
    }
}
