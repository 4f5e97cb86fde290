package dev.berth.core.card;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One node's devices as one door calls them, beside what the ledger calls them. Through it a door sees what the others
 * hold as if they held it under the door's own names; and it changes no lines but its own.
 */
public final class CardNames {
    private final Door door;
    private final List<DeviceId> cards;
    private final Map<DeviceId, DeviceId> ownToWritten = new HashMap<>();
    private final Map<DeviceId, DeviceId> writtenToOwn = new HashMap<>();
    private final Map<DeviceId, DeviceId> aliases = new HashMap<>();
    /** Cards of the node that this door does not give out. */
    private final Set<DeviceId> foreign = new HashSet<>();

    private final Set<DeviceId> foreignNames = new HashSet<>();

    /**
     * One card may be published to a door more than once, as in two languages: whoever holds one of these holds all.
     */
    private final Map<DeviceId, List<DeviceId>> sameCard = new HashMap<>();

    /**
     * The names of a node's devices.
     *
     * @param devices in the order in which those that somebody may hold unseen are counted off, from the last
     * @param uuids the UUIDs of the node's cards by index, as far as they are published
     * @param maybeCard whether a device of which neither UUID nor index is known may be a card
     */
    public CardNames(Door door, List<Device> devices, List<String> uuids, Predicate<Device> maybeCard) {
        this.door = door;
        var whole = new ArrayList<DeviceId>();
        for (var device : devices) {
            var written = WrittenName.of(device, devices, uuids, maybeCard.test(device));
            ownToWritten.put(device.id(), written);
            writtenToOwn.putIfAbsent(written, device.id());
            var sames = sameCard.computeIfAbsent(written, _ -> new ArrayList<>());
            sames.add(device.id());
            if (WrittenName.noCard(written) || WrittenName.part(written)) {
                continue;
            }
            if (sames.size() == 1) {
                whole.add(device.id());
            }
            alias(written, device);
            device.uuid().map(DeviceId::new).ifPresent(name -> alias(name, device));
            device.index().ifPresent(index -> alias(DeviceId.ofIndex(index), device));
            int position = uuids.indexOf(written.value());
            if (position >= 0) {
                alias(DeviceId.ofIndex(position), device);
            }
        }
        this.cards = List.copyOf(whole);
        for (int index = 0; index < uuids.size(); index++) {
            var uuid = new DeviceId(uuids.get(index));
            if (!aliases.containsKey(uuid)) {
                foreign.add(uuid);
                foreignNames.addAll(List.of(uuid, DeviceId.ofIndex(index)));
            }
        }
    }

    private void alias(DeviceId name, Device device) {
        aliases.putIfAbsent(name, device.id());
    }

    /** What the ledger calls a device of this door. */
    public DeviceId written(DeviceId own) {
        return ownToWritten.getOrDefault(own, own);
    }

    /** What this door calls a device of the ledger's. */
    public DeviceId own(DeviceId written) {
        return Optional.ofNullable(writtenToOwn.get(written))
                .or(() -> Optional.ofNullable(aliases.get(written)))
                .orElse(written);
    }

    /**
     * What is written, as this door must take it: the same object if nothing has another name here. A card that another
     * door holds, however much of it, is held whole. While somebody holds a card that cannot be told from this door's,
     * all of them are his. Who holds some card, no matter which, is given one that this door does not give out, else
     * free ones from the last on.
     */
    public Holdings inward(Holdings written, Collection<Guest> guests) {
        if (cards.isEmpty()) {
            return written;
        }
        var seen = new Sorted(written);
        Guest.unwritten(guests, written).forEach(seen::add);
        if (seen.plain && seen.floating.isEmpty()) {
            return written;
        }
        for (var holder : seen.anywhere) {
            cards.forEach(card -> seen.known.addAll(copies(Entry.confirmed(card, holder, Share.WHOLE))));
        }
        return seated(Holdings.of(seen.known), seen.floating, written);
    }

    private Holdings seated(Holdings holdings, List<Holder> floating, Holdings written) {
        var seated = holdings;
        int next = cards.size() - 1;
        int elsewhere = Math.toIntExact(foreign.stream().filter(written::free).count());
        for (var holder : floating.subList(Math.min(elsewhere, floating.size()), floating.size())) {
            while (next >= 0 && !seated.free(cards.get(next))) {
                next--;
            }
            if (next < 0) {
                break;
            }
            for (var copy : copies(Entry.confirmed(cards.get(next), holder, Share.WHOLE))) {
                seated = seated.recording(copy);
            }
        }
        return seated;
    }

    /** What must be written so that this door's lines become those it wants; all other lines stay word for word. */
    public Holdings outward(Holdings written, Holdings before, Holdings after) {
        if (after.equals(before)) {
            return written;
        }
        var next = new ArrayList<Entry>();
        written.entries().filter(entry -> !ours(entry)).forEach(next::add);
        var old = before.entries().filter(this::ours).collect(Collectors.toSet());
        var kept = after.entries().filter(this::ours).collect(Collectors.toSet());
        // What was taken down under one of a card's names is taken down, though the others still show it.
        var dropped = old.stream()
                .filter(entry -> !kept.contains(entry))
                .map(this::written)
                .collect(Collectors.toSet());
        after.entries()
                .filter(this::ours)
                .filter(entry -> !old.contains(entry) || !dropped.contains(written(entry)))
                .map(this::written)
                .distinct()
                .forEach(next::add);
        return Holdings.of(next);
    }

    private Entry written(Entry own) {
        return own.of(written(own.device()));
    }

    /** The same for every name that this door has for the card. */
    private List<Entry> copies(Entry own) {
        var names = sameCard.getOrDefault(written(own.device()), List.of());
        return names.size() < 2 ? List.of(own) : names.stream().map(own::of).toList();
    }

    private boolean ours(Entry entry) {
        return entry.holder().door() == door;
    }

    /** The lines of a page, sorted by what they mean to this door. */
    private final class Sorted {
        private final List<Entry> known = new ArrayList<>();
        private final Set<Holder> anywhere = new HashSet<>();
        private final List<Holder> floating = new ArrayList<>();
        /** Whether nothing had to be renamed. */
        private boolean plain = true;

        Sorted(Holdings written) {
            written.entries().forEach(this::add);
        }

        private void add(Entry entry) {
            if (ours(entry)) {
                know(entry, entry.of(own(entry.device())));
                return;
            }
            var name = WrittenName.card(entry.device());
            var card = aliases.get(name);
            if (card != null) {
                know(entry, new Entry(card, entry.holder(), Share.WHOLE, entry.state()));
            } else if (WrittenName.floating(entry.device())) {
                plain = false;
                floating.add(entry.holder());
            } else if (WrittenName.noCard(entry.device()) || foreignNames.contains(name)) {
                know(entry, entry);
            } else {
                plain = false;
                anywhere.add(entry.holder());
            }
        }

        private void know(Entry written, Entry own) {
            var copies = copies(own);
            plain &= copies.size() == 1 && own.equals(written);
            known.addAll(copies);
        }

        void add(Guest guest) {
            floating.addAll(Collections.nCopies(guest.gpus(), guest.holder()));
        }
    }
}
