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
        int floating = 0;
        for (var entry : written.without(except).entries().toList()) {
            if (WrittenName.floating(entry.device())) {
                floating++;
            } else if (!WrittenName.noCard(entry.device())) {
                cards.add(WrittenName.card(entry.device()));
            }
        }
        return cards.size()
                + floating
                + Guest.unwritten(guests, written).stream()
                        .filter(guest -> !guest.holder().id().equals(except))
                        .mapToInt(Guest::gpus)
                        .sum();
    }
}
