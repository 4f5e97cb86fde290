package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is to be said about one node.
 *
 * @param state {@code ready}, {@code cordoned} or {@code not ready}
 * @param cells its devices, each with who holds it
 * @param stray what is held of devices that nobody publishes
 * @param plain pods that got GPUs by number, of which nobody knows which
 */
public record NodeReport(NodeName name, String state, List<Cell> cells, List<Entry> stray, List<PlainPod> plain) {
    /**
     * One device.
     *
     * @param device all that is known of it
     * @param published what each door through which it is given out calls it, and how it measures it
     * @param model what it is, as far as anybody says
     * @param entries who holds how much of it
     */
    public record Cell(Device device, Map<Door, Device> published, String model, List<Entry> entries) {
        public Cell {
            published = Map.copyOf(published);
            entries = List.copyOf(entries);
        }

        /** In the order in which doors are named. */
        public List<Door> doors() {
            return published.keySet().stream().sorted().toList();
        }

        /** All that it is called. */
        public List<DeviceId> names() {
            return published.values().stream()
                    .map(Device::id)
                    .distinct()
                    .sorted()
                    .toList();
        }

        public boolean free() {
            return entries.isEmpty();
        }

        /** Which part of it is held, from 0 to 1: of what is held most of its cores and its memory. */
        public double held() {
            return Fullness.of(this);
        }

        /** For each of its capacities, which part of it is held, from 0 to 1. */
        public Map<String, Double> parts() {
            return Fullness.parts(this);
        }
    }

    /** A pod with so many GPUs. */
    public record PlainPod(String pod, long gpus) {}

    public NodeReport {
        cells = List.copyOf(cells);
        stray = List.copyOf(stray);
        plain = List.copyOf(plain);
    }

    /** How many devices nobody holds, by name or by number. */
    public long free() {
        return cells.stream().filter(Cell::free).count() - byNumber().size();
    }

    /**
     * As many devices without a holder as pods have by number. Nobody knows which they are: the last ones stand for
     * them.
     */
    public Set<Cell> byNumber() {
        long counted = plain.stream().mapToLong(PlainPod::gpus).sum();
        return cells.reversed().stream().filter(Cell::free).limit(counted).collect(Collectors.toUnmodifiableSet());
    }
}
