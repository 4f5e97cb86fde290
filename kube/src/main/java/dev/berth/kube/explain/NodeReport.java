package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
     * @param doors through which it is given out
     * @param model what it is, as far as anybody says
     * @param entries who holds how much of it
     */
    public record Cell(Device device, Set<Door> doors, String model, List<Entry> entries) {
        public Cell {
            doors = Set.copyOf(doors);
            entries = List.copyOf(entries);
        }

        public boolean free() {
            return entries.isEmpty();
        }

        /** Which part of it is held, from 0 to 1: of what is held most of its cores and its memory. */
        public double held() {
            return Fullness.of(device, entries);
        }

        /** For each of its capacities, which part of it is held, from 0 to 1. */
        public Map<String, Double> parts() {
            return Fullness.parts(device, entries);
        }
    }

    /** A pod with so many GPUs. */
    public record PlainPod(String pod, long gpus) {}

    public NodeReport {
        cells = List.copyOf(cells);
        stray = List.copyOf(stray);
        plain = List.copyOf(plain);
    }
}
