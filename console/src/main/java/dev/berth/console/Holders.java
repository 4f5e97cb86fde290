package dev.berth.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.explain.NodeReport;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who held each device since the console started; of each only the last changes. */
final class Holders {
    private static final int MOST_EACH = 100;
    private static final int MOST_DEVICES = 20_000;

    private record Moment(Instant at, List<String> pods) {}

    private final Map<String, Deque<Moment>> devices = new HashMap<>();

    private static String key(String node, String device) {
        return node + "\n" + device;
    }

    synchronized void saw(Instant now, Collection<NodeReport> nodes) {
        for (var node : nodes) {
            for (var cell : node.cells()) {
                var pods = cell.entries().stream()
                        .map(entry -> entry.holder().toString())
                        .sorted()
                        .toList();
                note(key(node.name().value(), cell.device().id().value()), new Moment(now, pods));
            }
        }
    }

    private void note(String key, Moment moment) {
        var known = devices.get(key);
        if (known == null) {
            // A device that was always free has no history, and needs no room.
            if (moment.pods().isEmpty() || devices.size() >= MOST_DEVICES) {
                return;
            }
            known = new ArrayDeque<>();
            devices.put(key, known);
        }
        var last = known.peekLast();
        if (last == null || !last.pods().equals(moment.pods())) {
            known.addLast(moment);
            if (known.size() > MOST_EACH) {
                known.removeFirst();
            }
        }
    }

    /** The newest first. */
    synchronized ArrayNode json(String node, String device) {
        var list = JsonNodeFactory.instance.arrayNode();
        var known = devices.get(key(node, device));
        if (known != null) {
            known.descendingIterator().forEachRemaining(moment -> {
                var each = list.addObject().put("at", moment.at().toString());
                var pods = each.putArray("pods");
                moment.pods().forEach(pods::add);
            });
        }
        return list;
    }
}
