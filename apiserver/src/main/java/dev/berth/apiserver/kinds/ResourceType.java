package dev.berth.apiserver.kinds;

import java.util.List;
import java.util.Set;

/**
 * One resource that is served: {@code pods} of {@code v1}, {@code deployments} of {@code apps/v1}.
 *
 * @param group empty for the core group
 * @param subresources their names: {@code status}, {@code scale}, {@code binding}, {@code eviction}, {@code log}
 */
public record ResourceType(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        Set<String> verbs,
        Set<String> subresources,
        Schema schema) {

    /** {@code v1}, {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public String listKind() {
        return kind + "List";
    }

    /** As messages name it: {@code pods}, {@code deployments.apps}. */
    public String qualifiedPlural() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** As messages name its kind: {@code Pod}, {@code Deployment.apps}. */
    public String qualifiedKind() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** What is stored under one key regardless of the version that a client speaks. */
    public String storageKey() {
        return qualifiedPlural();
    }

    public boolean hasStatus() {
        return subresources.contains("status");
    }
}
