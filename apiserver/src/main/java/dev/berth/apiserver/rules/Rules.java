package dev.berth.apiserver.rules;

import dev.berth.apiserver.kinds.ResourceType;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** The rules of every kind; kinds without rules of their own get those that hold for all. */
public final class Rules {
    private static final KindRules NONE = new KindRules() {};

    private final Shapes shapes = Shapes.load();
    private final Map<String, KindRules> builtIn = new ConcurrentHashMap<>();

    private final InstantSource clock;
    private final ServiceAddresses addresses;
    private final AdminAccess adminAccess;

    public Rules() {
        this(InstantSource.system());
    }

    public Rules(InstantSource clock) {
        this(clock, "10.96.0.0/16", _ -> false, _ -> Map.of());
    }

    /**
     * @param serviceRange the addresses that services get, such as {@code 10.96.0.0/16}
     * @param addressTaken whether a stored service has this address
     * @param namespaceLabels the labels of a namespace
     */
    public Rules(
            InstantSource clock,
            String serviceRange,
            Predicate<String> addressTaken,
            Function<String, Map<String, String>> namespaceLabels) {
        this.clock = clock;
        this.adminAccess = new AdminAccess(namespaceLabels);
        this.addresses = new ServiceAddresses(serviceRange, addressTaken);
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
            case "services" -> new ServiceRules(addresses);
            case "resourceclaims.resource.k8s.io" -> new ResourceClaimRules(false, adminAccess);
            case "resourceclaimtemplates.resource.k8s.io" -> new ResourceClaimRules(true, adminAccess);
            case "deviceclasses.resource.k8s.io" -> new DeviceClassRules();
            case "devicetaintrules.resource.k8s.io" -> new DeviceTaintRuleRules(clock);
            case "resourceslices.resource.k8s.io" -> new ResourceSliceRules(clock);
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io" -> new WebhookConfigurationRules(true);
            case "validatingwebhookconfigurations.admissionregistration.k8s.io" -> new WebhookConfigurationRules(false);
            case "customresourcedefinitions.apiextensions.k8s.io" -> new DefinitionRules();
            case "poddisruptionbudgets.policy" -> new BudgetRules();
            case "networkpolicies.networking.k8s.io" -> SmallDefaults.networkPolicy();
            case "endpointslices.discovery.k8s.io" -> SmallDefaults.endpointSlice();
            case "storageclasses.storage.k8s.io" -> SmallDefaults.storageClass();
            case "csidrivers.storage.k8s.io" -> SmallDefaults.storageDriver();
            case "persistentvolumes" -> SmallDefaults.volume(clock);
            case "persistentvolumeclaims" -> SmallDefaults.volumeClaim();
            case "endpoints" -> SmallDefaults.endpoints();
            case "limitranges" -> SmallDefaults.limitRange();
            case "replicationcontrollers" -> SmallDefaults.replicationController();
            case "podtemplates" -> SmallDefaults.podTemplate();
            case "horizontalpodautoscalers.autoscaling" ->
                type.version().equals("v2") ? SmallDefaults.autoscaler() : NONE;
            default -> type.group().equals("rbac.authorization.k8s.io") ? new RoleRules() : NONE;
        };
    }
}
