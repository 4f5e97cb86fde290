package dev.berth.kube.explain;

import dev.berth.core.Entry;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.kube.explain.NodeReport.Cell;
import java.util.Map;
import java.util.TreeMap;

/** Which part of a device is held. What a door gave out is measured by that door: another's memory may be in bytes. */
final class Fullness {
    private Fullness() {}

    /** Of what is held most; a share that nothing is known to measure counts as the whole. */
    static double of(Cell cell) {
        return cell.free()
                ? 0
                : parts(cell).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(1);
    }

    /** For each capacity, which part of it is held, from 0 to 1. */
    static Map<String, Double> parts(Cell cell) {
        Map<String, Double> parts = new TreeMap<>();
        for (var entry : cell.entries()) {
            switch (entry.share()) {
                case Share.Whole _ -> cell.device().capacities().keySet().forEach(name -> parts.put(name, 1.0));
                case Share.Part(var amounts) ->
                    amounts.forEach((name, amount) -> parts.merge(name, ratio(cell, entry, name, amount), Double::sum));
            }
        }
        parts.replaceAll((_, part) -> Math.min(1, part));
        return parts;
    }

    private static double ratio(Cell cell, Entry entry, String name, Quantity amount) {
        var measured = cell.published().getOrDefault(entry.holder().door(), cell.device());
        var capacity = measured.capacities().get(name);
        double all = capacity == null ? 0 : capacity.amount().value().doubleValue();
        return all <= 0 ? 0 : amount.value().doubleValue() / all;
    }
}
