package dev.berth.kube.ledger;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.function.Function;

/** What the cluster shows of one door's holdings: its pods, leases or claims. Each door brings its own. */
public interface Evidence {
    /** What a look past the caches says about a holding. */
    enum Look {
        STILL_HELD,
        GONE,
        /** The API server could not be asked; nothing is dropped on that. */
        UNKNOWN;

        /** @param present what it says where the holder's pod is there */
        public static Look of(Sighting sighting, Function<Pod, Look> present) {
            return switch (sighting) {
                case Sighting.Present(var pod) -> present.apply(pod);
                case Sighting.Gone _ -> GONE;
                case Sighting.Unknown _ -> UNKNOWN;
            };
        }
    }

    Door door();

    /** Whether the caches behind this are filled; before that nothing is reconciled. */
    boolean synced();

    /** The nodes on which it shows anything. */
    Collection<NodeName> nodes();

    /** What the caches show to be held on this node. */
    Collection<Entry> shown(NodeName node);

    /**
     * Whether its holder is known to be gone for good, so that not even an assumed holding needs to wait for its time.
     */
    default boolean ended(Entry entry) {
        return false;
    }

    /** Asks the API server itself about a holding that the caches do not show. */
    Look look(NodeName node, Entry entry);
}
