package dev.berth.pinner.map;

import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers the maps read last: all replicas of a workload carry the same one. */
public final class Maps {
    private static final int MOST = 64;

    private final Map<String, GpuMap> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, GpuMap> eldest) {
            return size() > MOST;
        }
    };

    public synchronized GpuMap of(String text) {
        var map = known.get(text);
        if (map == null) {
            map = GpuMap.parse(text);
            known.put(text, map);
        }
        return map;
    }
}
