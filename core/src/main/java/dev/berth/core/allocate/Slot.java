package dev.berth.core.allocate;

import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.core.Share;
import dev.berth.core.policy.DeviceView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A device and what is left of it.
 *
 * @param place the page of the ledger that says so
 */
record Slot(NodeName place, Device device, boolean untouched, boolean whole, Map<String, Quantity> left) {
    static Slot of(NodeName place, Device device, Holdings holdings) {
        var entries = holdings.of(device.id());
        boolean whole = entries.stream().anyMatch(entry -> entry.share() instanceof Share.Whole);
        return new Slot(place, device, entries.isEmpty(), whole, left(device, entries, whole));
    }

    private static Map<String, Quantity> left(Device device, List<Entry> entries, boolean whole) {
        var left = new HashMap<String, Quantity>();
        device.capacities().forEach((name, capacity) -> left.put(name, whole ? Quantity.ZERO : capacity.amount()));
        for (var entry : entries) {
            if (entry.share() instanceof Share.Part(var amounts)) {
                amounts.forEach((name, amount) -> left.computeIfPresent(name, (key, before) -> before.minus(amount)));
            }
        }
        return Map.copyOf(left);
    }

    /** Takes what the device draws while somebody holds it from what is left. */
    void charge(Map<Counter, Quantity> counters) {
        if (!untouched) {
            Draws.take(counters, this);
        }
    }

    boolean network() {
        return !(device.reach() instanceof Reach.On);
    }

    DeviceView view() {
        return new DeviceView(device, untouched, left);
    }
}
