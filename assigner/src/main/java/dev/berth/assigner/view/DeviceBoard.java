package dev.berth.assigner.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.cache.Pods;
import dev.berth.web.page.Changes;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All GPUs and what is reserved on each, in the words of {@code GET /devices}; says when it has changed. */
public final class DeviceBoard {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Gpus gpus;
    private final Reservations reservations;
    private final Pods pods;
    private final Changes changes = new Changes();

    public DeviceBoard(Gpus gpus, Reservations reservations, Pods pods) {
        this.gpus = gpus;
        this.reservations = reservations;
        this.pods = pods;
    }

    /** Something may look different now. */
    public void touch() {
        changes.touch();
    }

    Changes changes() {
        return changes;
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
        // What the Lease does not say is left out, as the contract has it.
        reservation.writtenId().ifPresent(id -> assignment.put("reservation-id", id));
        reservation.writtenState().ifPresent(state -> assignment.put("state", state));
        return assignment;
    }

    private Optional<Pod> pod(Reservation reservation) {
        return reservation.proposal()
                ? pods.by(Upkeep.BY_RESERVATION, reservation.id()).stream().findFirst()
                : pods.byUid(reservation.holder());
    }
}
