package dev.berth.core;

import java.util.Optional;

/**
 * Who holds a device: a pod, and the door it came through. The id stays the same for as long as the device is held: the
 * pod's uid, or the door's reservation where a decision comes before the pod has a uid.
 */
public record Holder(Door door, String namespace, String name, String id, Optional<String> uid) {
    public Holder {
        if (id.isBlank()) {
            throw new IllegalArgumentException("the holder %s/%s has no id".formatted(namespace, name));
        }
    }

    public static Holder pod(Door door, String namespace, String name, String uid) {
        return new Holder(door, namespace, name, uid, Optional.of(uid));
    }

    /** A pod that is being admitted: it has no uid yet, and perhaps not its final name. */
    public static Holder reservation(Door door, String namespace, String name, String reservation) {
        return new Holder(door, namespace, name, reservation, Optional.empty());
    }

    /** The same holder now that its pod is known. */
    public Holder seenAs(String podName, String podUid) {
        return new Holder(door, namespace, podName, id, Optional.of(podUid));
    }

    @Override
    public String toString() {
        return "%s/%s".formatted(namespace, name);
    }
}
