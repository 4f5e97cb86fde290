package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What clients ask first: which groups, versions and resources there are. */
public final class Discovery {
    private static final Set<String> READ_WRITE = BuiltInTypes.ordered("get", "patch", "update");

    /** What a subresource speaks: its own kind where that differs from the parent's, and its verbs. */
    private record Subresource(String group, String version, String kind, Set<String> verbs) {
        static Subresource of(ResourceType parent, String name) {
            return switch (name) {
                case "scale" -> new Subresource("autoscaling", "v1", "Scale", READ_WRITE);
                case "eviction" -> new Subresource("policy", "v1", "Eviction", Set.of("create"));
                case "token" -> new Subresource("authentication.k8s.io", "v1", "TokenRequest", Set.of("create"));
                case "binding" -> new Subresource("", "", "Binding", Set.of("create"));
                case "log" -> new Subresource("", "", parent.kind(), Set.of("get"));
                case "finalize" -> new Subresource("", "", parent.kind(), Set.of("update"));
                default -> new Subresource("", "", parent.kind(), READ_WRITE);
            };
        }
    }

    private final LiveCatalog catalog;

    public Discovery(LiveCatalog catalog) {
        this.catalog = catalog;
    }

    /** The verbs of a subresource: {@code get}, {@code patch} and {@code update} of {@code status}. */
    public static Set<String> verbs(ResourceType type, String subresource) {
        return Subresource.of(type, subresource).verbs();
    }

    /** The kind that a subresource speaks where that is not its parent's. */
    static Optional<Operations.GroupVersionKind> subresourceKind(ResourceType type, String name) {
        Subresource subresource = Subresource.of(type, name);
        if (subresource.kind().equals(type.kind())) return Optional.empty();
        String version = subresource.version().isEmpty() ? "v1" : subresource.version();
        return Optional.of(new Operations.GroupVersionKind(subresource.group(), version, subresource.kind()));
    }

    /** {@code /api}. */
    public ObjectNode coreVersions(String serverAddress) {
        ObjectNode versions = object("APIVersions");
        versions.putArray("versions").add("v1");
        versions.putArray("serverAddressByClientCIDRs")
                .addObject()
                .put("clientCIDR", "0.0.0.0/0")
                .put("serverAddress", serverAddress);
        return versions;
    }

    /** {@code /apis}. */
    public ObjectNode groups() {
        ObjectNode list = object("APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        byGroup().forEach((name, versions) -> {
            if (!name.isEmpty()) fill(groups.addObject(), name, versions.keySet());
        });
        return list;
    }

    /** {@code /apis/{group}}. */
    public Optional<ObjectNode> group(String name) {
        var versions = byGroup().get(name);
        if (versions == null || name.isEmpty()) return Optional.empty();
        ObjectNode group = object("APIGroup").put("apiVersion", "v1");
        fill(group, name, versions.keySet());
        return Optional.of(group);
    }

    private static void fill(ObjectNode group, String name, Collection<String> versions) {
        group.put("name", name);
        ArrayNode array = group.putArray("versions");
        versions.forEach(version -> put(array.addObject(), name, version));
        put(group.putObject("preferredVersion"), name, versions.iterator().next());
    }

    private static void put(ObjectNode entry, String group, String version) {
        entry.put("groupVersion", group + "/" + version).put("version", version);
    }

    /** {@code /api/v1} and {@code /apis/{group}/{version}}; empty when nothing is served there. */
    public Optional<ObjectNode> resources(String group, String version) {
        var types = byGroup().getOrDefault(group, Map.of()).get(version);
        if (types == null) return Optional.empty();
        ObjectNode list = object("APIResourceList");
        if (!group.isEmpty()) list.put("apiVersion", "v1");
        list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
        ArrayNode resources = list.putArray("resources");
        types.forEach(type -> add(resources, type));
        return Optional.of(list);
    }

    private static void add(ArrayNode resources, ResourceType type) {
        ObjectNode resource = resources
                .addObject()
                .put("name", type.plural())
                .put("singularName", type.singular())
                .put("namespaced", type.namespaced())
                .put("kind", type.kind());
        addAll(resource.putArray("verbs"), type.verbs());
        if (!type.shortNames().isEmpty()) addAll(resource.putArray("shortNames"), type.shortNames());
        if (!type.categories().isEmpty()) addAll(resource.putArray("categories"), type.categories());
        resource.put("storageVersionHash", StorageVersion.hash(type));
        for (String name : type.subresources()) {
            Subresource subresource = Subresource.of(type, name);
            ObjectNode entry = resources
                    .addObject()
                    .put("name", type.plural() + "/" + name)
                    .put("singularName", "")
                    .put("namespaced", type.namespaced());
            if (!subresource.group().isEmpty()) {
                entry.put("group", subresource.group()).put("version", subresource.version());
            }
            entry.put("kind", subresource.kind());
            addAll(entry.putArray("verbs"), subresource.verbs());
        }
    }

    /** All groups ({@code /apis}) or the core one ({@code /api}) in one document, apidiscovery.k8s.io/v2. */
    public ObjectNode aggregated(boolean core) {
        ObjectNode list = object("APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        byGroup().forEach((name, versions) -> {
            if (name.isEmpty() != core) return;
            ObjectNode group = items.addObject();
            ObjectNode metadata = group.putObject("metadata");
            if (!name.isEmpty()) metadata.put("name", name);
            ArrayNode array = group.putArray("versions");
            versions.forEach((version, types) -> {
                ObjectNode entry = array.addObject().put("version", version);
                ArrayNode resources = entry.putArray("resources");
                types.forEach(type -> addAggregated(resources.addObject(), type));
                entry.put("freshness", "Current");
            });
        });
        return list;
    }

    private void addAggregated(ObjectNode resource, ResourceType type) {
        boolean custom = catalog.isCustom(type);
        resource.put("resource", type.plural());
        putKind(resource, custom ? type.group() : "", custom ? type.version() : "", type.kind());
        resource.put("scope", type.namespaced() ? "Namespaced" : "Cluster").put("singularResource", type.singular());
        addAll(resource.putArray("verbs"), type.verbs());
        if (!type.shortNames().isEmpty()) addAll(resource.putArray("shortNames"), type.shortNames());
        if (!type.categories().isEmpty()) addAll(resource.putArray("categories"), type.categories());
        if (type.subresources().isEmpty()) return;
        ArrayNode subresources = resource.putArray("subresources");
        for (String name : type.subresources()) {
            Subresource subresource = Subresource.of(type, name);
            ObjectNode entry = subresources.addObject().put("subresource", name);
            boolean parents = custom && subresource.group().isEmpty();
            putKind(
                    entry,
                    parents ? type.group() : subresource.group(),
                    parents ? type.version() : subresource.version(),
                    subresource.kind());
            addAll(entry.putArray("verbs"), subresource.verbs());
        }
    }

    private static void putKind(ObjectNode entry, String group, String version, String kind) {
        entry.putObject("responseKind")
                .put("group", group)
                .put("version", version)
                .put("kind", kind);
    }

    /** Group, then version, then the types, in the order of the catalog. */
    private Map<String, Map<String, List<ResourceType>>> byGroup() {
        Map<String, Map<String, List<ResourceType>>> groups = new LinkedHashMap<>();
        for (ResourceType type : catalog.all()) {
            groups.computeIfAbsent(type.group(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(type.version(), _ -> new ArrayList<>())
                    .add(type);
        }
        return groups;
    }

    private static ObjectNode object(String kind) {
        return JsonNodeFactory.instance.objectNode().put("kind", kind);
    }

    private static void addAll(ArrayNode array, Collection<String> words) {
        words.forEach(array::add);
    }
}
