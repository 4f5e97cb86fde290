package dev.berth.kube.explain;

import dev.berth.core.Device;
import dev.berth.core.Entry;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which part of a device is held. */
final class Fullness {
    private Fullness() {}

    /** Of what is held most; a share that nothing is known to measure counts as the whole. */
    static double of(Device device, List<Entry> entries) {
        if (entries.isEmpty()) {
            return 0;
        }
        return parts(device, entries).values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
    }

    /** For each capacity, which part of it is held, from 0 to 1. */
    static Map<String, Double> parts(Device device, List<Entry> entries) {
        Map<String, Double> parts = new TreeMap<>();
        for (var entry : entries) {
            switch (entry.share()) {
                case Share.Whole _ -> {
                    device.capacities().keySet().forEach(name -> parts.put(name, 1.0));
                }
                case Share.Part(var amounts) ->
                    amounts.forEach((name, amount) -> parts.merge(name, ratio(device, name, amount), Double::sum));
            }
        }
        parts.replaceAll((_, part) -> Math.min(1, part));
        return parts;
    }

    private static double ratio(Device device, String name, Quantity amount) {
        var capacity = device.capacities().get(name);
        double all = capacity == null ? 0 : capacity.amount().value().doubleValue();
        return all <= 0 ? 0 : amount.value().doubleValue() / all;
    }
}
