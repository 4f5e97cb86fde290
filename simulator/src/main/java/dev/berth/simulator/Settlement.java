package dev.berth.simulator;

import dev.berth.core.NodeName;
import dev.berth.core.move.Amounts;
import dev.berth.core.move.Layout;
import dev.berth.core.move.Need;
import dev.berth.core.move.NodeSet;
import dev.berth.core.move.Site;
import dev.berth.core.move.Spot;
import dev.berth.core.move.Tenant;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A simulated cluster as those see it who move pods. */
public final class Settlement {
    private final List<Machine> machines;
    private final Layout layout;
    private final List<Task> tasks = new ArrayList<>();
    private final List<Task> waiting = new ArrayList<>();
    private final Map<Set<String>, NodeSet> byModels = new HashMap<>();

    Settlement(List<Machine> machines) {
        this.machines = machines;
        this.layout = new Layout(machines.stream().map(Settlement::site).toList());
    }

    private static Site site(Machine machine) {
        return new Site(
                new NodeName(machine.name()),
                machine.model(),
                new GpuCapacity((long) machine.gpus() * Slice.WHOLE, 0),
                Amounts.of(machine.cpu(), machine.memory()));
    }

    public Layout layout() {
        return layout;
    }

    /** Those that have their place. */
    List<Task> seated() {
        return List.copyOf(tasks);
    }

    /** Those that found no room, in the order in which they came. */
    public List<Task> waiting() {
        return List.copyOf(waiting);
    }

    void waits(Task task) {
        waiting.add(task);
    }

    /** The pod has its place. */
    void seated(Seat seat) {
        var task = seat.task();
        tasks.add(task);
        layout.add(
                Tenant.movable(task.name(), need(task)),
                new Spot(seat.node(), task.cores() == 0 ? List.of() : List.of(seat.devices())));
    }

    Seat seat(int tenant, Spot spot) {
        return new Seat(spot.node(), tasks.get(tenant), spot.gpus());
    }

    public Need need(Task task) {
        return new Need(
                task.cores() == 0 ? List.of() : List.of(task.parcel().slice()),
                Amounts.of(task.parcel().cpu(), task.memory()),
                byModels.computeIfAbsent(
                        // A pod without GPUs takes any model.
                        task.cores() == 0 ? Set.of() : task.parcel().models(), this::suiting));
    }

    private NodeSet suiting(Set<String> models) {
        return NodeSet.of(
                machines.size(),
                node -> models.isEmpty() || models.contains(machines.get(node).model()));
    }
}
