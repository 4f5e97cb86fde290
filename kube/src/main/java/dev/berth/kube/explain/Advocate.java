package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Answer;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** Speaks for one door: says what it would do, with the door's own decoding and engine, and never writes. */
public interface Advocate extends AutoCloseable {
    Door door();

    /** Begins to watch what only this door reads; returns at once. */
    default void start() {}

    /** Whether all that it watches is known. */
    default boolean synced() {
        return true;
    }

    /** The devices of a node as they are published to this door. */
    List<Device> devices(NodeName node);

    /** Whether a device of which neither UUID nor index is published may be a card. */
    default boolean maybeCard(Device device) {
        return false;
    }

    /** What the door's own records (leases, annotations, claims) show to be held on a node. */
    Collection<Entry> shown(NodeName node);

    /** Whether a page of the ledger only counts what stands on the pages of nodes, such as one for a quota. */
    default boolean counts(NodeName page) {
        return false;
    }

    /** Whether such a pod is this door's business. */
    boolean takes(Pod pod);

    /** What a pod asks of this door, in a few words. */
    String asks(Pod pod);

    /**
     * What the door would do with the pod now.
     *
     * @param ledger who holds what, as this door must take it
     */
    Answer answer(Pod pod, Ledger ledger);

    /** The same if there were no other node. */
    Answer answerOn(NodeName node, Pod pod, Ledger ledger);

    /** How much of what namespaces use, where this door counts that. */
    default List<QuotaLine> quotas(Ledger ledger) {
        return List.of();
    }

    /**
     * How much of one GPU model a namespace uses and may use, in cores: 100 a GPU.
     *
     * @param limit none where nothing limits it
     */
    record QuotaLine(String namespace, String model, long used, OptionalLong limit) {}

    @Override
    default void close() {}
}
