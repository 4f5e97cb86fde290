package dev.berth.claims.generate;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A way to cut a GPU: one size of partition, and where it may begin.
 *
 * @param memory as a quantity
 * @param slices how many memory slices it covers
 * @param starts at which memory slices it may begin
 * @param engines what else of the GPU it takes, by name
 */
record Profile(String name, String memory, int slices, List<Integer> starts, SortedMap<String, Integer> engines) {
    Profile {
        starts = List.copyOf(starts);
    }

    static Profile of(String name, String memory, int slices, List<Integer> starts, Object... engines) {
        SortedMap<String, Integer> named = new TreeMap<>();
        for (int i = 0; i < engines.length; i += 2) {
            named.put((String) engines[i], (Integer) engines[i + 1]);
        }
        named.values().removeIf(amount -> amount == 0);
        return new Profile(name, memory, slices, starts, named);
    }

    /** The name as part of a device's: a plus is not allowed there. */
    String slug() {
        return name.replace('+', '-');
    }
}
