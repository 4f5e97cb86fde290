package dev.berth.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Who holds how much of each device of one node. Immutable; devices that nobody holds are not in it. */
public final class Holdings {
    public static final Holdings EMPTY = new Holdings(Collections.emptySortedMap());

    private final Map<DeviceId, List<Entry>> byDevice;

    private Holdings(Map<DeviceId, List<Entry>> byDevice) {
        this.byDevice = byDevice;
    }

    public static Holdings of(Collection<Entry> entries) {
        var byDevice = new TreeMap<DeviceId, List<Entry>>();
        for (var entry : entries) {
            var there = byDevice.computeIfAbsent(entry.device(), _ -> new ArrayList<>());
            there.removeIf(entry::sameHolding);
            there.add(entry);
        }
        byDevice.replaceAll((_, there) -> List.copyOf(there));
        return new Holdings(byDevice);
    }

    /** The held devices and their entries, ordered by device. */
    public Map<DeviceId, List<Entry>> byDevice() {
        return Collections.unmodifiableMap(byDevice);
    }

    public Stream<Entry> entries() {
        return byDevice.values().stream().flatMap(List::stream);
    }

    public List<Entry> of(DeviceId device) {
        return byDevice.getOrDefault(device, List.of());
    }

    public List<Entry> of(String holderId) {
        return entries().filter(entry -> entry.holder().id().equals(holderId)).toList();
    }

    public boolean free(DeviceId device) {
        return !byDevice.containsKey(device);
    }

    /** Whether this holder has this device, however much of it. */
    public boolean holds(Entry wanted) {
        return of(wanted.device()).stream().anyMatch(wanted::sameHolding);
    }

    /** Whether something that is held here is not held any more after. */
    public boolean freedBy(Holdings after) {
        return entries().anyMatch(entry -> !after.holds(entry));
    }

    /** Who stands in the way of this entry: somebody else, and one of the two wants the device whole. */
    public Optional<Holder> obstacle(Entry wanted) {
        return of(wanted.device()).stream()
                .filter(other -> !other.sameHolding(wanted))
                .filter(other -> wanted.share() instanceof Share.Whole || other.share() instanceof Share.Whole)
                .map(Entry::holder)
                .findFirst();
    }

    /**
     * With a decision added. A holding that is there already is replaced.
     *
     * @throws IllegalStateException if somebody stands in the way: a decision that takes a taken device is a bug
     */
    public Holdings taking(Entry entry) {
        obstacle(entry).ifPresent(holder -> {
            throw new IllegalStateException(
                    "device %s is held by %s, so %s cannot take it".formatted(entry.device(), holder, entry.holder()));
        });
        return recording(entry);
    }

    /** With what the cluster shows added, even where it shows two holders of one device. */
    public Holdings recording(Entry entry) {
        var entries = new ArrayList<Entry>();
        of(entry.device()).stream().filter(other -> !other.sameHolding(entry)).forEach(entries::add);
        entries.add(entry);
        var next = new TreeMap<>(byDevice);
        next.put(entry.device(), List.copyOf(entries));
        return new Holdings(next);
    }

    /** Without all that this holder has. */
    public Holdings without(String holderId) {
        return without(entry -> entry.holder().id().equals(holderId));
    }

    public Holdings without(Predicate<Entry> dropped) {
        if (entries().noneMatch(dropped)) {
            return this;
        }
        var next = new TreeMap<DeviceId, List<Entry>>();
        byDevice.forEach((device, entries) -> {
            var kept = entries.stream().filter(dropped.negate()).toList();
            if (!kept.isEmpty()) {
                next.put(device, kept);
            }
        });
        return new Holdings(next);
    }

    /** The devices that more hold than can. */
    public List<DeviceId> contested() {
        return byDevice.entrySet().stream()
                .filter(held -> held.getValue().size() > 1)
                .filter(held -> held.getValue().stream().anyMatch(entry -> entry.share() instanceof Share.Whole))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Holdings holdings && byDevice.equals(holdings.byDevice);
    }

    @Override
    public int hashCode() {
        return Objects.hash(byDevice);
    }

    @Override
    public String toString() {
        return byDevice.toString();
    }
}
