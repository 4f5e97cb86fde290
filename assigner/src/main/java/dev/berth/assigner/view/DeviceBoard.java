package dev.berth.assigner.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.cache.Pods;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** All GPUs and what is reserved on each, in the words of {@code GET /devices}; says when it has changed. */
public final class DeviceBoard {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Gpus gpus;
    private final Reservations reservations;
    private final Pods pods;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long version;

    public DeviceBoard(Gpus gpus, Reservations reservations, Pods pods) {
        this.gpus = gpus;
        this.reservations = reservations;
        this.pods = pods;
    }

    /** Something may look different now. */
    public void touch() {
        lock.lock();
        try {
            version++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The board's version; waits for another than the one given, but no longer than this. */
    long awaitOther(long known, Duration within) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = within.toNanos();
            while (version == known && left > 0) {
                left = changed.awaitNanos(left);
            }
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Every GPU by its UUID. */
    SortedMap<String, ObjectNode> devices() {
        var devices = new TreeMap<String, ObjectNode>();
        var inventory = gpus.inventory();
        for (var node : inventory.nodes()) {
            for (var device : inventory.devices(node)) {
                var uuid = device.id().value();
                var row = JSON.objectNode().put("node", node.value());
                var labels = row.putArray("labels");
                gpus.labels(uuid).forEach(labels::add);
                reservations
                        .find(LeaseName.of(uuid))
                        .ifPresent(reservation -> row.set("assignment", assignment(reservation)));
                devices.put(uuid, row);
            }
        }
        return Collections.unmodifiableSortedMap(devices);
    }

    private ObjectNode assignment(Reservation reservation) {
        var pod = pod(reservation);
        var assignment = JSON.objectNode().put("exists?", pod.isPresent());
        reservation.namespace().ifPresent(namespace -> assignment.put("namespace", namespace));
        assignment.put("uid", reservation.proposal() ? null : reservation.holder());
        pod.ifPresent(found -> assignment.put("name", found.getMetadata().getName()));
        return assignment.put("reservation-id", reservation.id()).put("state", reservation.state());
    }

    private Optional<Pod> pod(Reservation reservation) {
        return reservation.proposal()
                ? pods.by(Upkeep.BY_RESERVATION, reservation.id()).stream().findFirst()
                : pods.byUid(reservation.holder());
    }
}
