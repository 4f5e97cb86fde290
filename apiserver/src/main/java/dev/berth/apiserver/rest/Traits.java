package dev.berth.apiserver.rest;

import dev.berth.apiserver.kinds.ResourceType;
import java.util.Set;

/** The small ways in which Kubernetes treats its own resources differently from each other. */
final class Traits {
    private static final Set<String> RETURN_WHAT_WAS_DELETED = Set.of(
            "namespaces",
            "persistentvolumes",
            "persistentvolumeclaims",
            "pods",
            "podtemplates",
            "resourcequotas",
            "services",
            "serviceaccounts",
            "deviceclasses.resource.k8s.io",
            "devicetaintrules.resource.k8s.io",
            "resourceclaims.resource.k8s.io",
            "resourceclaimtemplates.resource.k8s.io",
            "resourceslices.resource.k8s.io",
            "csidrivers.storage.k8s.io",
            "csinodes.storage.k8s.io",
            "storageclasses.storage.k8s.io",
            "volumeattachments.storage.k8s.io",
            "volumeattributesclasses.storage.k8s.io");
    private static final Set<String> CREATED_BY_UPDATE = Set.of(
            "leases.coordination.k8s.io",
            "leasecandidates.coordination.k8s.io",
            "endpoints",
            "events",
            "events.events.k8s.io",
            "limitranges",
            "services",
            "runtimeclasses.node.k8s.io",
            "clusterroles.rbac.authorization.k8s.io",
            "clusterrolebindings.rbac.authorization.k8s.io",
            "roles.rbac.authorization.k8s.io",
            "rolebindings.rbac.authorization.k8s.io");
    private static final Set<String> UPDATED_ONLY_BY_VERSION = Set.of(
            "mutatingadmissionpolicies.admissionregistration.k8s.io",
            "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
            "mutatingwebhookconfigurations.admissionregistration.k8s.io",
            "validatingadmissionpolicies.admissionregistration.k8s.io",
            "validatingadmissionpolicybindings.admissionregistration.k8s.io",
            "validatingwebhookconfigurations.admissionregistration.k8s.io",
            "leases.coordination.k8s.io",
            "leasecandidates.coordination.k8s.io",
            "runtimeclasses.node.k8s.io",
            "poddisruptionbudgets.policy",
            "csidrivers.storage.k8s.io",
            "csinodes.storage.k8s.io",
            "csistoragecapacities.storage.k8s.io",
            "volumeattachments.storage.k8s.io",
            "customresourcedefinitions.apiextensions.k8s.io");

    private Traits() {}

    /** True when a deletion answers with the object instead of a Status. */
    static boolean returnsDeleted(ResourceType type) {
        return RETURN_WHAT_WAS_DELETED.contains(type.qualifiedPlural());
    }

    /** True when a PUT to a name that is free creates the object. */
    static boolean createdByUpdate(ResourceType type) {
        return CREATED_BY_UPDATE.contains(type.qualifiedPlural());
    }

    /** True when a PUT must say which version it replaces. */
    static boolean updatedOnlyByVersion(ResourceType type) {
        return UPDATED_ONLY_BY_VERSION.contains(type.qualifiedPlural()) || custom(type);
    }

    /** Custom resources have groups with a dot that are not Kubernetes' own. */
    static boolean custom(ResourceType type) {
        return type.group().contains(".") && !BUILT_IN_GROUPS.contains(type.group());
    }

    private static final Set<String> BUILT_IN_GROUPS = Set.of(
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "apiregistration.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "certificates.k8s.io",
            "coordination.k8s.io",
            "discovery.k8s.io",
            "events.k8s.io",
            "flowcontrol.apiserver.k8s.io",
            "internal.apiserver.k8s.io",
            "networking.k8s.io",
            "node.k8s.io",
            "rbac.authorization.k8s.io",
            "resource.k8s.io",
            "scheduling.k8s.io",
            "storage.k8s.io",
            "storagemigration.k8s.io");
}
