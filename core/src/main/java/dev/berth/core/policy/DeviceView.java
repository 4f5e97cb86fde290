package dev.berth.core.policy;

import dev.berth.core.Device;
import dev.berth.core.Quantity;
import java.util.Map;

/**
 * A device as a policy sees it.
 *
 * @param untouched nobody holds any of it
 * @param left what of each capacity nobody holds
 */
public record DeviceView(Device device, boolean untouched, Map<String, Quantity> left) {
    public double left(String capacity) {
        return left.getOrDefault(capacity, Quantity.ZERO).value().doubleValue();
    }
}
