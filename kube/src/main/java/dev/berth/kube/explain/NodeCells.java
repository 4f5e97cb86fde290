package dev.berth.kube.explain;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.card.WrittenName;
import dev.berth.kube.explain.NodeReport.Cell;
import dev.berth.kube.explain.NodeReport.PlainPod;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.kube.ledger.CountedPods;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The devices of one node, each once: what doors publish under different names is one device where a UUID or an index
 * says so. Counted GPUs that nothing is known of but their number give way to those that a door names.
 */
final class NodeCells {
    private static final List<String> MODEL_LABELS = List.of("nvidia.com/gpu.product", "gaia.tencent.com/gpu-model");
    private static final List<String> MODEL_ATTRIBUTES = List.of("product-name", "model");
    private static final String LABELS = "labels";

    private final Lookout lookout;
    private final NodeName name;
    private final Node node;
    private final List<Slot> slots = new ArrayList<>();

    NodeCells(Lookout lookout, NodeName name, Node node) {
        this.lookout = lookout;
        this.name = name;
        this.node = node;
    }

    /** A device while its names are gathered. */
    private static final class Slot {
        private final Set<DeviceId> names = new HashSet<>();
        private final Map<Door, Device> published = new EnumMap<>(Door.class);
        private final List<Entry> entries = new ArrayList<>();
        private Device device;

        Slot(Device device) {
            this.device = device;
        }

        boolean is(Device other) {
            return names.contains(other.id())
                    || (device.uuid().isPresent() && device.uuid().equals(other.uuid()))
                    || (device.index().isPresent()
                            && device.index().equals(other.index())
                            && (device.uuid().isEmpty() || other.uuid().isEmpty())
                            && !partition(device)
                            && !partition(other));
        }

        void add(Device other, Door door) {
            names.add(other.id());
            published.put(door, other);
            Map<String, Attribute> attributes = new HashMap<>(other.attributes());
            attributes.putAll(device.attributes());
            Map<String, Capacity> capacities = new HashMap<>(other.capacities());
            capacities.putAll(device.capacities());
            device = device.withAttributes(attributes).withCapacities(capacities);
            if (device.index().isEmpty() && other.index().isPresent()) {
                device = device.withIndex(other.index().getAsInt());
            }
        }

        /** Known by its number alone, held by nobody. */
        boolean idleNumber() {
            return entries.isEmpty()
                    && published.keySet().stream().allMatch(door -> door == Door.OUTSIDE || door == Door.PINNER);
        }
    }

    private static boolean partition(Device device) {
        return device.attributes().containsKey(WrittenName.PARENT);
    }

    NodeReport report(Holdings holdings) {
        var uuids = CardUuids.of(node);
        lookout.advocates().stream()
                // Those that know most of a device first, so that the others are matched to them.
                .sorted(Comparator.comparingInt(advocate -> advocate.door() == Door.CLAIMS ? 0 : 1))
                .forEach(advocate ->
                        advocate.devices(name).forEach(device -> gather(known(device, uuids), advocate.door())));
        var stray = new ArrayList<Entry>();
        holdings.entries()
                .forEach(entry -> slots.stream()
                        .filter(slot -> slot.names.contains(entry.device()))
                        .findFirst()
                        .ifPresentOrElse(slot -> slot.entries.add(entry), () -> stray.add(entry)));
        slots.removeIf(slot -> partition(slot.device) && slot.entries.isEmpty());
        long named = slots.stream().filter(slot -> !slot.idleNumber()).count();
        long numbers = slots.stream().filter(Slot::idleNumber).count();
        if (named >= numbers) {
            slots.removeIf(Slot::idleNumber);
        }
        var cells = slots.stream()
                .map(slot -> new Cell(slot.device, slot.published, model(slot.device), slot.entries))
                .sorted(Comparator.comparingInt(
                                (Cell cell) -> cell.device().index().orElse(Integer.MAX_VALUE))
                        .thenComparing(cell -> cell.device().id()))
                .toList();
        return new NodeReport(name, state(), cells, stray, plain(holdings));
    }

    /** The device with what the node itself says of it. */
    private static Device known(Device device, List<String> uuids) {
        int index = device.index().orElse(uuids.indexOf(device.uuid().orElse("")));
        if (index < 0 || index >= uuids.size() || partition(device)) {
            return device;
        }
        var numbered = device.index().isPresent() ? device : device.withIndex(index);
        return device.uuid().isPresent() ? numbered : numbered.withUuid(uuids.get(index));
    }

    private void gather(Device device, Door door) {
        var slot = slots.stream().filter(each -> each.is(device)).findFirst().orElseGet(() -> {
            var fresh = new Slot(device);
            slots.add(fresh);
            return fresh;
        });
        slot.add(device, door);
    }

    private String model(Device device) {
        var labels = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
        return MODEL_ATTRIBUTES.stream()
                .map(attribute -> device.attributes().get(attribute))
                .filter(Objects::nonNull)
                .map(Attribute::text)
                .findFirst()
                .or(() -> MODEL_LABELS.stream()
                        .map(labels::get)
                        .filter(Objects::nonNull)
                        .findFirst())
                .or(() -> Optional.ofNullable(device.attributes().get(LABELS)).map(NodeCells::labels))
                .orElse("GPU");
    }

    private static String labels(Attribute labels) {
        return labels instanceof Attribute.Many(var values)
                ? String.join(
                        ", ",
                        values.stream()
                                .map(Attribute::text)
                                .map(text -> text.substring(text.indexOf('/') + 1))
                                .toList())
                : labels.text();
    }

    private String state() {
        return lookout.rooms()
                .find(name)
                .map(room -> room.unschedulable()
                        ? "cordoned"
                        : room.ready().orElse("True").equals("True") ? "ready" : "not ready")
                .orElse("ready");
    }

    /** Pods with counted GPUs that no door has written down. */
    private List<PlainPod> plain(Holdings holdings) {
        var known = new HashSet<String>();
        holdings.entries().forEach(entry -> known.add(entry.holder().toString()));
        return CountedPods.on(lookout.pods(), name).stream()
                .map(guest -> new PlainPod(guest.holder().toString(), guest.gpus()))
                .filter(pod -> !known.contains(pod.pod()))
                .sorted(Comparator.comparing(PlainPod::pod))
                .toList();
    }
}
