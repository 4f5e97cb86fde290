package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.apiserver.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds what is wrong in what a container or a pod asks for. */
final class ResourceCheck {
    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> STANDARD = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage",
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "storage",
            "requests.storage",
            "services.nodeports",
            "services.loadbalancers");
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final String NOT_WHOLE = "must be an integer";

    private ResourceCheck() {}

    static void ofContainer(JsonNode resources, Set<String> claims, String path, Errors errors) {
        if (resources.isEmpty()) return;
        amounts(resources, path, false, errors);
        claims(items(resources, "claims"), claims, path + ".claims", errors);
    }

    static void ofPod(JsonNode resources, Set<String> claims, String path, Errors errors) {
        amounts(resources, path, true, errors);
    }

    private static void amounts(JsonNode resources, String path, boolean ofPod, Errors errors) {
        JsonNode limits = at(resources, "limits");
        JsonNode requests = at(resources, "requests");
        boolean hugePages = false;
        boolean computes = false;
        for (var limit : limits.properties()) {
            String name = limit.getKey();
            amount(name, limit.getValue().asText(), path + ".limits[" + name + "]", ofPod, errors);
            hugePages |= isHugePages(name);
            computes |= name.equals("cpu") || name.equals("memory");
        }
        for (var request : requests.properties()) {
            String name = request.getKey();
            String text = request.getValue().asText();
            amount(name, text, path + ".requests[" + name + "]", ofPod, errors);
            compare(name, text, limits, path, errors);
            hugePages |= isHugePages(name);
            computes |= name.equals("cpu") || name.equals("memory");
        }
        if (hugePages && !computes) errors.forbidden(path, "HugePages require cpu or memory");
    }

    private static void amount(String name, String text, String at, boolean ofPod, Errors errors) {
        if (ofPod) podName(name, at, errors);
        else containerName(name, at, errors);
        value(name, text, at, errors);
    }

    static void value(String name, String text, String at, Errors errors) {
        Quantity amount = Quantity.parse(text);
        if (amount.signum() < 0) errors.invalid(at, text, Wording.NOT_NEGATIVE);
        if ((COUNTED.contains(name) || isExtended(name)) && !amount.whole()) errors.invalid(at, text, NOT_WHOLE);
    }

    private static void compare(String name, String text, JsonNode limits, String path, Errors errors) {
        boolean overcommits = isNative(name) && !isHugePages(name);
        if (!has(limits, name)) {
            if (!overcommits) errors.required(path + ".limits", "Limit must be set for non overcommitable resources");
            return;
        }
        String limit = text(limits, name);
        int compared = Quantity.parse(text).compareTo(Quantity.parse(limit));
        if (compared != 0 && !overcommits)
            errors.invalid(path + ".requests", text, "must be equal to %s limit of %s".formatted(name, limit));
        else if (compared > 0)
            errors.invalid(
                    path + ".requests", text, "must be less than or equal to %s limit of %s".formatted(name, limit));
    }

    private static void containerName(String name, String at, Errors errors) {
        boolean spelled = resourceName(name, at, errors);
        if (name.indexOf('/') < 0) {
            if (!OF_CONTAINERS.contains(name) && !isHugePages(name))
                errors.invalid(at, name, "must be a standard resource for containers");
        } else if (!isNative(name) && !(spelled && isExtended(name)))
            errors.invalid(at, name, "doesn't follow extended resource name standard");
    }

    private static void podName(String name, String at, Errors errors) {
        resourceName(name, at, errors);
        if (!PodLevelResources.isSupported(name))
            errors.add(FieldError.notSupported(at, name, List.of("cpu", "hugepages-", "memory")));
    }

    private static boolean resourceName(String name, String at, Errors errors) {
        var wrong = Names.qualified(name);
        errors.invalid(at, name, wrong);
        if (wrong.isEmpty() && name.indexOf('/') < 0 && !STANDARD.contains(name) && !isHugePages(name))
            errors.invalid(at, name, "must be a standard resource type or fully qualified");
        return wrong.isEmpty();
    }

    static boolean isHugePages(String name) {
        return name.startsWith("hugepages-");
    }

    private static boolean isNative(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && Names.qualified("requests." + name).isEmpty();
    }

    private static void claims(ArrayNode claims, Set<String> known, String path, Errors errors) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < claims.size(); i++) {
            String at = path + "[" + i + "]";
            String name = text(claims.get(i), "name");
            String request = text(claims.get(i), "request");
            if (name.isEmpty()) {
                errors.required(at, "");
                continue;
            }
            if (!request.isEmpty()) errors.invalid(at + ".request", request, Names.label(request));
            String key = request.isEmpty() ? name : name + "/" + request;
            if (names.contains(name) || !names.add(key)) errors.duplicate(at, names.contains(name) ? name : key);
            if (known.contains(name)) continue;
            errors.add(new FieldError(
                    "FieldValueNotFound",
                    at,
                    "Not found: \"%s\": must be one of the names in pod.spec.resourceClaims%s"
                            .formatted(name, known.isEmpty() ? " which is empty" : ": " + String.join(", ", known))));
        }
    }
}
