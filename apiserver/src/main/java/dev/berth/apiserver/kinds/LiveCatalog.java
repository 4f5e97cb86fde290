package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The catalog of a running server: the built-in types, and what custom resource definitions add and take away. */
public final class LiveCatalog implements Catalog {
    private record Path(String group, String version, String plural) {}

    private record Kind(String apiVersion, String kind) {}

    /** What is served between two changes. */
    private record Snapshot(
            List<ResourceType> all,
            Map<Path, ResourceType> byPath,
            Map<Kind, ResourceType> byKind,
            Map<String, CustomDefinition> definitions,
            long generation) {}

    private final Schemas schemas;
    private final List<ResourceType> builtIn;
    private volatile Snapshot now;

    public LiveCatalog(Schemas schemas) {
        this.schemas = schemas;
        this.builtIn = BuiltInTypes.load(schemas);
        this.now = snapshot(Map.of(), 0);
    }

    /** Serves what an established definition declares, in place of what the one of the same name declared before. */
    public synchronized void define(ObjectNode definition) {
        CustomDefinition known =
                now.definitions().get(definition.at("/metadata/name").asText());
        if (known != null && known.spec().equals(definition.path("spec"))) return;
        Map<String, CustomDefinition> definitions = new TreeMap<>(now.definitions());
        CustomDefinition parsed = CustomDefinition.of(definition.deepCopy(), schemas);
        definitions.put(parsed.name(), parsed);
        now = snapshot(definitions, now.generation() + 1);
    }

    /** Stops serving what the definition of this name ({@code plural.group}) declared. */
    public synchronized void undefine(String name) {
        Map<String, CustomDefinition> definitions = new TreeMap<>(now.definitions());
        if (definitions.remove(name) != null) now = snapshot(definitions, now.generation() + 1);
    }

    private Snapshot snapshot(Map<String, CustomDefinition> definitions, long generation) {
        List<ResourceType> custom = new ArrayList<>();
        definitions.values().forEach(definition -> custom.addAll(definition.types()));
        custom.sort(Comparator.comparing(ResourceType::group)
                .thenComparing(ResourceType::version, VersionOrder.NEWEST_FIRST)
                .thenComparing(ResourceType::plural));
        List<ResourceType> all = new ArrayList<>(builtIn);
        all.addAll(custom);
        Map<Path, ResourceType> byPath = new HashMap<>();
        Map<Kind, ResourceType> byKind = new HashMap<>();
        for (ResourceType type : all) {
            byPath.putIfAbsent(new Path(type.group(), type.version(), type.plural()), type);
            byKind.putIfAbsent(new Kind(type.apiVersion(), type.kind()), type);
        }
        return new Snapshot(List.copyOf(all), byPath, byKind, definitions, generation);
    }

    @Override
    public Optional<ResourceType> byPath(String group, String version, String plural) {
        return Optional.ofNullable(now.byPath().get(new Path(group, version, plural)));
    }

    @Override
    public Optional<ResourceType> byKind(String apiVersion, String kind) {
        return Optional.ofNullable(now.byKind().get(new Kind(apiVersion, kind)));
    }

    @Override
    public List<ResourceType> all() {
        return now.all();
    }

    /**
     * Changes whenever something is added or taken away: what is derived from the catalog is valid for one of these.
     */
    long generation() {
        return now.generation();
    }

    Schemas schemas() {
        return schemas;
    }

    /** Whether a custom resource definition declares this type. */
    public boolean isCustom(ResourceType type) {
        return custom(type) != null;
    }

    /** Where a custom kind keeps its replicas, as its definition says; missing for all others. */
    public JsonNode scalePaths(ResourceType type) {
        CustomDefinition.Version version = custom(type);
        return version == null ? MissingNode.getInstance() : version.scale();
    }

    CustomDefinition.@Nullable Version custom(ResourceType type) {
        CustomDefinition definition = now.definitions().get(type.qualifiedPlural());
        return definition == null ? null : definition.versions().get(type.version());
    }

    /** The definitions that are served, by name. */
    Map<String, CustomDefinition> definitions() {
        return now.definitions();
    }
}
