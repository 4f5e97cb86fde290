package dev.berth.core.card;

import dev.berth.core.DeviceId;
import dev.berth.core.Holdings;
import java.util.Collection;
import java.util.HashSet;

/** How many of a node's GPUs are held, for whoever only counts them. */
public final class Occupied {
    private Occupied() {}

    /** The cards that somebody else than this holder has, and those of guests that have no line yet. */
    public static int cards(Holdings written, Collection<Guest> guests, String except) {
        var cards = new HashSet<DeviceId>();
        var holders = new HashSet<String>();
        holders.add(except);
        int floating = 0;
        for (var entry : written.entries().toList()) {
            var holder = entry.holder();
            if (holder.id().equals(except)) {
                continue;
            }
            holders.add(holder.id());
            holder.uid().ifPresent(holders::add);
            if (WrittenName.floating(entry.device())) {
                floating++;
            } else if (!WrittenName.noCard(entry.device())) {
                cards.add(WrittenName.card(entry.device()));
            }
        }
        return cards.size()
                + floating
                + guests.stream()
                        .filter(guest -> !holders.contains(guest.holder().id()))
                        .mapToInt(Guest::gpus)
                        .sum();
    }
}
