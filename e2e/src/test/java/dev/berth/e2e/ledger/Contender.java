package dev.berth.e2e.ledger;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;

/** A door as a process of its own, and how a pod asks it for the one card of a node. */
interface Contender extends AutoCloseable {
    /** As in a pod's name. */
    String name();

    /** Asks for the card of this node, in the name of this pod. */
    void ask(String pod, String node) throws Exception;

    /** How long after the others it is to be asked, so that all decide at the same time. */
    Duration after();

    /**
     * Whether it has decided about this pod.
     *
     * @param pods as they are now, by name
     */
    boolean decided(String pod, Map<String, Pod> pods);

    /** Whether it has promised the card to this pod. */
    boolean promised(String pod, Map<String, Pod> pods);

    @Override
    void close();
}
