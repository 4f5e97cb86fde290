package dev.berth.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.patch.ManagedEntry.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** All entries of an object's {@code metadata.managedFields}, by owner. */
final class ManagedFields {
    private static final int MOST_UPDATERS = 10;

    private final Map<Owner, ManagedEntry> entries = new LinkedHashMap<>();

    /** Empty when any of it makes no sense, as Kubernetes drops the whole then. */
    static ManagedFields of(@Nullable ObjectNode object) {
        var managed = new ManagedFields();
        if (object == null) return managed;
        for (JsonNode node : object.path("metadata").path("managedFields")) {
            Optional<ManagedEntry> entry = ManagedEntry.decode(node);
            if (entry.isEmpty()) return new ManagedFields();
            managed.put(entry.get());
        }
        return managed;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Optional<ManagedEntry> find(Owner owner) {
        return Optional.ofNullable(entries.get(owner));
    }

    List<ManagedEntry> all() {
        return List.copyOf(entries.values());
    }

    /** An entry without fields is no entry. */
    void put(ManagedEntry entry) {
        if (entry.fields().isEmpty()) entries.remove(entry.owner());
        else entries.put(entry.owner(), entry);
    }

    /** Changes what everybody owns except the one given. */
    void changeOthers(Owner except, UnaryOperator<FieldSet> change) {
        for (ManagedEntry entry : all()) {
            if (!entry.owner().equals(except)) put(entry.with(change.apply(entry.fields())));
        }
    }

    /** Merges the oldest updaters into one called {@code ancient-changes} when there are too many. */
    void limitUpdaters() {
        List<ManagedEntry> updaters = new ArrayList<>(entries.values());
        updaters.removeIf(entry -> entry.owner().applies());
        if (updaters.size() <= MOST_UPDATERS) return;
        updaters.sort(Comparator.comparing(ManagedEntry::time)
                .thenComparing(entry -> entry.owner().manager())
                .thenComparing(ManagedEntry::apiVersion));
        int surplus = updaters.size() - MOST_UPDATERS;
        Map<String, ManagedEntry> buckets = new HashMap<>();
        for (ManagedEntry entry : updaters) {
            if (surplus == 0) break;
            ManagedEntry older = buckets.get(entry.apiVersion());
            if (older == null) {
                buckets.put(entry.apiVersion(), entry);
                continue;
            }
            entries.remove(older.owner());
            entries.remove(entry.owner());
            var merged = new ManagedEntry(
                    Owner.updating("ancient-changes", entry.apiVersion(), ""),
                    entry.apiVersion(),
                    entry.time(),
                    entry.fields().union(older.fields()));
            put(merged);
            buckets.put(entry.apiVersion(), merged);
            surplus--;
        }
    }

    /** Writes the entries into the object, or takes the field out when there are none. */
    void writeTo(ObjectNode object) {
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        List<ManagedEntry> sorted = new ArrayList<>(entries.values());
        sorted.sort(ManagedEntry.ORDER);
        ArrayNode list = JsonNodeFactory.instance.arrayNode(sorted.size());
        sorted.forEach(entry -> list.add(entry.encode()));
        metadata.set("managedFields", list);
    }
}
