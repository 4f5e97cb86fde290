package dev.berth.apiserver.rules;

import dev.berth.apiserver.kinds.ResourceType;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The rules of every kind; kinds without rules of their own get those that hold for all. */
public final class Rules {
    private static final KindRules NONE = new KindRules() {};

    private final Shapes shapes = Shapes.load();
    private final Map<String, KindRules> builtIn = new ConcurrentHashMap<>();

    private final InstantSource clock;

    public Rules() {
        this(InstantSource.system());
    }

    public Rules(InstantSource clock) {
        this.clock = clock;
    }

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

    private KindRules own(ResourceType type) {
        return switch (type.qualifiedPlural()) {
            case "pods" -> new PodRules(clock);
            case "nodes" -> new NodeRules();
            case "namespaces" -> new NamespaceRules();
            case "priorityclasses.scheduling.k8s.io" -> new PriorityClassRules();
            case "configmaps" -> new ConfigMapRules();
            case "secrets" -> new SecretRules();
            case "leases.coordination.k8s.io" -> new LeaseRules();
            case "events" -> new EventRules(false);
            case "events.events.k8s.io" -> new EventRules(true);
            case "deployments.apps" -> new DeploymentRules();
            case "replicasets.apps" -> new ReplicaSetRules();
            case "statefulsets.apps" -> new StatefulSetRules();
            case "daemonsets.apps" -> new DaemonSetRules();
            case "jobs.batch" -> new JobRules();
            case "cronjobs.batch" -> new CronJobRules();
            default -> NONE;
        };
    }
}
