package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.Lookup;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.kinds.Catalog;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What admission reads, parsed once for each version of an object: it is asked on every write. */
final class StoredLookup implements Lookup {
    private static final int MOST_PARSED = 10_000;

    private record Parsed(Stored stored, ObjectNode tree) {}

    private record All(long version, List<ObjectNode> trees) {}

    private final Catalog catalog;
    private final Repository repository;
    private final Map<String, Parsed> parsed = new ConcurrentHashMap<>();
    private final Map<String, All> lists = new ConcurrentHashMap<>();

    StoredLookup(Catalog catalog, Repository repository) {
        this.catalog = catalog;
        this.repository = repository;
    }

    private Optional<ResourceType> type(Resource resource) {
        return catalog.byPath(resource.group(), resource.version(), resource.plural());
    }

    @Override
    public Optional<ObjectNode> find(Resource resource, String namespace, String name) {
        Optional<ResourceType> type = type(resource);
        if (type.isEmpty()) return Optional.empty();
        String key = type.get().storageKey() + " " + Repository.key(type.get(), namespace, name);
        Optional<Stored> stored = repository.find(type.get(), namespace, name);
        if (stored.isEmpty()) {
            parsed.remove(key);
            return Optional.empty();
        }
        Parsed known = parsed.get(key);
        if (known == null || known.stored != stored.get()) {
            if (parsed.size() > MOST_PARSED) parsed.clear();
            known = new Parsed(stored.get(), Json.tree(type.get(), stored.get()));
            parsed.put(key, known);
        }
        return Optional.of(known.tree);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a table's version is a token: the same one or another
    public List<ObjectNode> all(Resource resource) {
        Optional<ResourceType> type = type(resource);
        if (type.isEmpty()) return List.of();
        Table table = repository.table(type.get());
        long version = table.version();
        All known = lists.get(table.name());
        if (known != null && known.version == version) return known.trees;
        List<ObjectNode> trees = new ArrayList<>();
        repository.store().snapshot(table).visit("", "", (_, stored) -> {
            trees.add(Json.tree(type.get(), stored));
            return true;
        });
        // The version was read first: what changed since is read again next time.
        lists.put(table.name(), new All(version, List.copyOf(trees)));
        return List.copyOf(trees);
    }
}
