package dev.berth.extender.board;

import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.GpuNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One node on the board. Its owner, the board, lets one thread at a time look at it. */
final class Page {
    boolean known;
    GpuCapacity capacity = GpuCapacity.NONE;
    String model = "";
    String pool = "";
    Holdings ledger = Holdings.EMPTY;
    /** By holder. */
    final Map<String, List<Entry>> shown = new HashMap<>();

    final Map<String, List<Entry>> intended = new HashMap<>();

    private Collection<Entry> entries = List.of();
    private Map<String, Long> cores = Map.of();
    /** As it is with all that is held; made when somebody looks. */
    private Board.@Nullable View view;

    private record Place(String device, String holder) {}

    /** Puts the sources together again; of two that speak of one holding the ledger's word counts. */
    void renew(Set<String> gone) {
        var together = new LinkedHashMap<Place, Entry>();
        ledger.entries()
                .filter(entry -> !gone.contains(entry.holder().id()))
                .forEach(entry -> together.put(place(entry), entry));
        shown.values().forEach(each -> each.forEach(entry -> together.putIfAbsent(place(entry), entry)));
        intended.values().forEach(each -> each.forEach(entry -> together.putIfAbsent(place(entry), entry)));
        entries = List.copyOf(together.values());
        var sums = new HashMap<String, Long>();
        entries.forEach(entry -> sums.merge(entry.holder().namespace(), GpuEntries.cores(entry), Long::sum));
        cores = sums;
        view = null;
    }

    private static Place place(Entry entry) {
        return new Place(entry.device().value(), entry.holder().id());
    }

    boolean holds(String holder) {
        return entries.stream().anyMatch(entry -> entry.holder().id().equals(holder));
    }

    boolean empty() {
        return !known && entries.isEmpty();
    }

    /** The cores that each namespace holds here. */
    Map<String, Long> cores() {
        return cores;
    }

    long coresOf(String holder, String namespace) {
        return entries.stream()
                .filter(entry -> entry.holder().id().equals(holder)
                        && entry.holder().namespace().equals(namespace))
                .mapToLong(GpuEntries::cores)
                .sum();
    }

    /** The node with all that is held on it. */
    Board.View view(String name) {
        var known = view;
        if (known == null) {
            known = new Board.View(counted(name, capacity, _ -> true), model, pool);
            view = known;
        }
        return known;
    }

    /** The node without what this holder has, as if it had this capacity. */
    GpuNode gpus(String name, GpuCapacity wanted, String exceptHolder) {
        return counted(name, wanted, entry -> !entry.holder().id().equals(exceptHolder));
    }

    GpuNode without(String name, Predicate<Entry> dropped) {
        return counted(name, capacity, dropped.negate());
    }

    private GpuNode counted(String name, GpuCapacity wanted, Predicate<Entry> kept) {
        return GpuEntries.node(
                new NodeName(name), wanted, entries.stream().filter(kept).toList());
    }
}
