package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The habits in which kinds differ and that need no code of their own.
 *
 * @param counted the fields whose change makes a new generation; empty when the kind counts none
 */
record Traits(Names.Rule names, boolean hasStatus, boolean dropsStatus, List<String> counted) {
    private static final List<String> SPEC = List.of("spec");
    private static final List<String> ALL = List.of("*");
    private static final Set<String> NEVER_COUNTED = Set.of("apiVersion", "kind", "metadata", "status");
    private static final Map<String, List<String>> COUNTED = Map.ofEntries(
            Map.entry("pods", SPEC),
            Map.entry("replicationcontrollers", SPEC),
            Map.entry("podtemplates", List.of("template")),
            Map.entry("deployments.apps", SPEC),
            Map.entry("replicasets.apps", SPEC),
            Map.entry("statefulsets.apps", SPEC),
            Map.entry("daemonsets.apps", SPEC),
            Map.entry("jobs.batch", SPEC),
            Map.entry("cronjobs.batch", SPEC),
            Map.entry("customresourcedefinitions.apiextensions.k8s.io", SPEC),
            Map.entry("deviceclasses.resource.k8s.io", SPEC),
            Map.entry("devicetaintrules.resource.k8s.io", SPEC),
            Map.entry("resourceslices.resource.k8s.io", SPEC),
            Map.entry("networkpolicies.networking.k8s.io", SPEC),
            Map.entry("ingresses.networking.k8s.io", SPEC),
            Map.entry("ingressclasses.networking.k8s.io", SPEC),
            Map.entry("poddisruptionbudgets.policy", SPEC),
            Map.entry("flowschemas.flowcontrol.apiserver.k8s.io", SPEC),
            Map.entry("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", SPEC),
            Map.entry("endpointslices.discovery.k8s.io", List.of("addressType", "endpoints", "ports")),
            Map.entry("priorityclasses.scheduling.k8s.io", List.of("")),
            Map.entry("mutatingwebhookconfigurations.admissionregistration.k8s.io", List.of("webhooks")),
            Map.entry("validatingwebhookconfigurations.admissionregistration.k8s.io", List.of("webhooks")),
            Map.entry("validatingadmissionpolicies.admissionregistration.k8s.io", SPEC),
            Map.entry("validatingadmissionpolicybindings.admissionregistration.k8s.io", SPEC),
            Map.entry("mutatingadmissionpolicies.admissionregistration.k8s.io", SPEC),
            Map.entry("mutatingadmissionpolicybindings.admissionregistration.k8s.io", SPEC));

    static Traits of(ResourceType type) {
        String plural = type.qualifiedPlural();
        boolean keepsStatus =
                plural.equals("nodes") || plural.equals("namespaces") || plural.equals("persistentvolumes");
        return new Traits(
                namesOf(type),
                type.hasStatus(),
                type.hasStatus() && !keepsStatus,
                COUNTED.getOrDefault(plural, List.of()));
    }

    /** Of a kind that a definition made: everything but metadata and status counts. */
    static Traits ofCustom(ResourceType type) {
        return new Traits(Names::subdomain, type.hasStatus(), type.hasStatus(), ALL);
    }

    /** A status that has no subresource is a field like any other. */
    private boolean counts(String field) {
        return !NEVER_COUNTED.contains(field) || (field.equals("status") && !hasStatus);
    }

    boolean builtIn() {
        return !counted.equals(ALL);
    }

    private static Names.Rule namesOf(ResourceType type) {
        return switch (type.group()) {
            case "rbac.authorization.k8s.io" -> Names::pathSegment;
            case "" ->
                switch (type.plural()) {
                    case "namespaces", "services" -> Names::label;
                    default -> Names::subdomain;
                };
            case "apps" -> type.plural().equals("statefulsets") ? Names::label : Names::subdomain;
            default -> Names::subdomain;
        };
    }

    boolean countsGenerations() {
        return !counted.isEmpty();
    }

    boolean changed(ObjectNode next, ObjectNode old) {
        if (counted.equals(ALL)) return restChanged(next, old);
        for (String field : counted) if (!at(next, field).equals(at(old, field))) return true;
        return false;
    }

    private boolean restChanged(ObjectNode next, ObjectNode old) {
        for (var entry : next.properties())
            if (counts(entry.getKey()) && !entry.getValue().equals(old.get(entry.getKey()))) return true;
        for (var entry : old.properties()) if (counts(entry.getKey()) && !next.has(entry.getKey())) return true;
        return false;
    }
}
