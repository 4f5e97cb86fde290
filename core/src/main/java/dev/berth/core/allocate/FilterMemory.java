package dev.berth.core.allocate;

import dev.berth.core.Device;
import dev.berth.core.demand.Filter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks a filter that says what it reads once about all devices that agree in that. */
final class FilterMemory implements Suitability.Filters {
    private static final int MOST = 10_000;

    private record Seen(Filter filter, Map<String, Object> facts) {}

    private final Map<Seen, Optional<String>> answers = new HashMap<>();

    @Override
    public Optional<String> refuses(Filter filter, Device device) {
        var reads = filter.reads();
        if (reads.isEmpty()) {
            return filter.refuses(device);
        }
        var facts = new HashMap<String, Object>();
        for (var name : reads.get()) {
            var value = device.attributes().get(name);
            if (value != null) {
                facts.put(name, value);
            }
        }
        if (answers.size() > MOST) {
            answers.clear();
        }
        return answers.computeIfAbsent(new Seen(filter, facts), unseen -> filter.refuses(device));
    }
}
