package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** One of a webhook's rules: which operations on which resources it wants to see. */
record WebhookRule(
        List<String> operations, List<String> groups, List<String> versions, List<String> resources, String scope) {

    static WebhookRule of(JsonNode rule) {
        return new WebhookRule(
                texts(rule.path("operations")),
                texts(rule.path("apiGroups")),
                texts(rule.path("apiVersions")),
                texts(rule.path("resources")),
                rule.path("scope").asText("*"));
    }

    /** @param type the resource asked for, or one that is equivalent to it */
    boolean matches(AdmissionAttributes attributes, ResourceType type) {
        return scopeFits(type)
                && anyOf(operations, attributes.operation().name())
                && anyOf(groups, type.group())
                && anyOf(versions, type.version())
                && resourceFits(type.plural(), attributes.subresource());
    }

    private boolean scopeFits(ResourceType type) {
        return switch (scope) {
            case "*" -> true;
            case "Namespaced" -> type.namespaced();
            case "Cluster" -> !type.namespaced();
            default -> false;
        };
    }

    private boolean resourceFits(String plural, String subresource) {
        for (String wanted : resources) {
            int slash = wanted.indexOf('/');
            String wantedResource = slash < 0 ? wanted : wanted.substring(0, slash);
            String wantedSub = slash < 0 ? "" : wanted.substring(slash + 1);
            boolean resourceFits = wantedResource.equals("*") || wantedResource.equals(plural);
            if (resourceFits && (wantedSub.equals("*") || wantedSub.equals(subresource))) return true;
        }
        return false;
    }

    private static boolean anyOf(List<String> wanted, String found) {
        return wanted.contains("*") || wanted.contains(found);
    }

    static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>(list.size());
        for (JsonNode each : list) texts.add(each.asText());
        return List.copyOf(texts);
    }
}
