package dev.berth.core.card;

import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Share;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** Somebody who holds so many GPUs of a node, and nobody knows which. */
public record Guest(Holder holder, int gpus) {
    public Guest {
        if (gpus < 1) {
            throw new IllegalArgumentException("%s holds %d GPUs".formatted(holder, gpus));
        }
    }

    /** What the ledger has of it: a line for each GPU. */
    public List<Entry> lines(Entry.State state) {
        return IntStream.range(0, gpus)
                .mapToObj(gpu -> new Entry(WrittenName.ofGuest(holder.id(), gpu), holder, Share.WHOLE, state))
                .toList();
    }

    /** Those of whom nothing is written, by whatever door. */
    public static List<Guest> unwritten(Collection<Guest> guests, Holdings written) {
        if (guests.isEmpty()) {
            return List.of();
        }
        var holders = new HashSet<String>();
        written.entries().map(Entry::holder).forEach(holder -> {
            holders.add(holder.id());
            holder.uid().ifPresent(holders::add);
        });
        return guests.stream()
                .filter(guest -> !holders.contains(guest.holder().id()))
                .toList();
    }
}
