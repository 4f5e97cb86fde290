package dev.berth.apiserver.rules;

import dev.berth.apiserver.kinds.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The rules of every kind; kinds without rules of their own get those that hold for all. */
public final class Rules {
    private static final KindRules NONE = new KindRules() {};

    private final Shapes shapes = Shapes.load();
    private final Map<String, KindRules> builtIn = new ConcurrentHashMap<>();

    public KindRules of(ResourceType type) {
        KindRules known = builtIn.get(type.qualifiedPlural());
        if (known != null) return known;
        var shape = shapes.kind(type.apiVersion(), type.kind());
        if (shape.isEmpty()) return new GeneralRules(type, shapes.type(Shapes.CUSTOM), Traits.ofCustom(type), NONE);
        var rules = new GeneralRules(type, shape.get(), Traits.of(type), own(type));
        // A kind that is served in two versions is written in either; only the first one's shape is kept by its plural.
        return type.version().equals("v1") ? keep(type, rules) : rules;
    }

    private KindRules keep(ResourceType type, KindRules rules) {
        builtIn.put(type.qualifiedPlural(), rules);
        return rules;
    }

    private static KindRules own(ResourceType type) {
        return switch (type.qualifiedPlural()) {
            case "pods" -> new PodRules();
            case "nodes" -> new NodeRules();
            case "namespaces" -> new NamespaceRules();
            default -> NONE;
        };
    }
}
