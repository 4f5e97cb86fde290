package dev.berth.core.policy;

import dev.berth.core.NodeName;
import java.util.List;

/**
 * A node on which a demand can be met, as a policy sees it: before it is met.
 *
 * @param matching how many untouched devices suit some part of the demand
 */
public record NodeView(NodeName name, List<DeviceView> devices, int matching) {
    public NodeView {
        devices = List.copyOf(devices);
    }

    public double left(String capacity) {
        return devices.stream().mapToDouble(device -> device.left(capacity)).sum();
    }

    public long untouched() {
        return devices.stream().filter(DeviceView::untouched).count();
    }
}
