package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What Kubernetes knows of the devices that a ResourceClaim asks for. */
final class DeviceClaims {
    private static final List<String> MODES = List.of("All", "ExactCount");
    private static final List<String> TAINT_EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    private static final String NO_REQUEST =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
    private static final int MOST = 32;
    private static final int MOST_ALTERNATIVES = 8;

    private DeviceClaims() {}

    static void applyDefaults(JsonNode devices) {
        for (JsonNode request : items(devices, "requests")) {
            if (at(request, "exactly") instanceof ObjectNode exactly) count(exactly);
            for (JsonNode each : items(request, "firstAvailable")) if (each instanceof ObjectNode one) count(one);
        }
    }

    private static void count(ObjectNode request) {
        defaultText(request, "allocationMode", "ExactCount");
        if (text(request, "allocationMode").equals("ExactCount") && number(request, "count") == 0)
            request.put("count", 1);
    }

    static void check(JsonNode devices, String path, Errors errors) {
        var requests = items(devices, "requests");
        if (fits(requests, MOST, path + ".requests", errors)) {
            for (int i = 0; i < requests.size(); i++) request(requests.get(i), path + ".requests[" + i + "]", errors);
            unique(requests, "name", path + ".requests", errors);
        }
        var constraints = items(devices, "constraints");
        if (fits(constraints, MOST, path + ".constraints", errors))
            for (int i = 0; i < constraints.size(); i++)
                constraint(constraints.get(i), devices, path + ".constraints[" + i + "]", errors);
        var config = items(devices, "config");
        if (fits(config, MOST, path + ".config", errors))
            for (int i = 0; i < config.size(); i++) {
                String at = path + ".config[" + i + "]";
                references(config.get(i), devices, at, errors);
                opaque(config.get(i), at, errors);
            }
    }

    static boolean fits(ArrayNode list, int most, String path, Errors errors) {
        if (list.size() <= most) return true;
        errors.tooMany(path, list.size(), most);
        return false;
    }

    static void unique(ArrayNode list, String key, String path, Errors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++)
            if (!seen.add(text(list.get(i), key))) errors.duplicate(path + "[" + i + "]", text(list.get(i), key));
    }

    private static void request(JsonNode request, String at, Errors errors) {
        errors.invalid(at + ".name", text(request, "name"), Names.label(text(request, "name")));
        var alternatives = items(request, "firstAvailable");
        boolean exactly = has(request, "exactly");
        if (!exactly && alternatives.isEmpty())
            errors.required(at, "exactly one of `exactly` or `firstAvailable` is required");
        else if (exactly && !alternatives.isEmpty())
            errors.invalid(
                    at,
                    MissingNode.getInstance(),
                    "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
        else if (exactly) wanted(at(request, "exactly"), at + ".exactly", errors);
        else if (fits(alternatives, MOST_ALTERNATIVES, at + ".firstAvailable", errors)) {
            for (int i = 0; i < alternatives.size(); i++) {
                String each = at + ".firstAvailable[" + i + "]";
                String name = text(alternatives.get(i), "name");
                errors.invalid(each + ".name", name, Names.label(name));
                wanted(alternatives.get(i), each, errors);
            }
            unique(alternatives, "name", at + ".firstAvailable", errors);
        }
    }

    private static void wanted(JsonNode request, String at, Errors errors) {
        String deviceClass = text(request, "deviceClassName");
        if (deviceClass.isEmpty()) errors.required(at + ".deviceClassName", "");
        else errors.invalid(at + ".deviceClassName", deviceClass, Names.subdomain(deviceClass));
        selectors(items(request, "selectors"), at + ".selectors", errors);
        long count = number(request, "count");
        switch (text(request, "allocationMode")) {
            case "All" -> {
                if (count != 0)
                    errors.invalid(at + ".count", count, "must not be specified when allocationMode is 'All'");
            }
            case "ExactCount" -> {
                if (count <= 0) errors.invalid(at + ".count", count, "must be greater than zero");
            }
            default -> errors.notSupported(at + ".allocationMode", text(request, "allocationMode"), MODES);
        }
        var tolerations = items(request, "tolerations");
        for (int i = 0; i < tolerations.size(); i++)
            toleration(tolerations.get(i), at + ".tolerations[" + i + "]", errors);
    }

    /** What a selector's expression means is left to who evaluates it. */
    static void selectors(ArrayNode selectors, String path, Errors errors) {
        if (!fits(selectors, MOST, path, errors)) return;
        for (int i = 0; i < selectors.size(); i++)
            if (!has(selectors.get(i), "cel")) errors.required(path + "[" + i + "].cel", "");
    }

    private static void toleration(JsonNode toleration, String at, Errors errors) {
        String key = text(toleration, "key");
        if (!key.isEmpty()) errors.invalid(at + ".key", key, Names.qualified(key));
        String operator = text(toleration, "operator");
        String value = text(toleration, "value");
        switch (operator) {
            case "Exists" -> {
                if (!value.isEmpty()) errors.invalid(at + ".value", value, "must be empty for operator `Exists`");
            }
            case "", "Equal" -> errors.invalid(at + ".value", value, Names.labelValue(value));
            default -> errors.notSupported(at + ".operator", operator, List.of("Equal", "Exists"));
        }
        effect(text(toleration, "effect"), at + ".effect", errors);
    }

    static void effect(String effect, String at, Errors errors) {
        if (!effect.isEmpty() && !TAINT_EFFECTS.contains(effect)) errors.notSupported(at, effect, TAINT_EFFECTS);
    }

    private static void constraint(JsonNode constraint, JsonNode devices, String at, Errors errors) {
        references(constraint, devices, at, errors);
        String matched = text(constraint, "matchAttribute");
        String distinct = text(constraint, "distinctAttribute");
        if (!matched.isEmpty()) attribute(matched, at + ".matchAttribute", errors);
        else if (!distinct.isEmpty()) attribute(distinct, at + ".distinctAttribute", errors);
        else
            errors.required(
                    at,
                    "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields are set");
    }

    private static void attribute(String name, String at, Errors errors) {
        qualified(name, at, errors);
        if (name.indexOf('/') < 0)
            errors.invalid(at, name, "a fully qualified name must be a domain and a name separated by a slash");
    }

    /** A C identifier, with or without a domain. */
    static void qualified(String name, String at, Errors errors) {
        int slash = name.indexOf('/');
        if (slash < 0) {
            errors.invalid(at, name, Names.identifier(name));
            return;
        }
        if (name.indexOf('/', slash + 1) >= 0) return;
        String domain = name.substring(0, slash);
        String id = name.substring(slash + 1);
        if (domain.isEmpty()) errors.invalid(at, "", "the domain must not be empty");
        else driver(domain, at, errors);
        if (id.isEmpty()) errors.invalid(at, "", "the name must not be empty");
        else errors.invalid(at, id, Names.identifier(id));
    }

    static void driver(String name, String at, Errors errors) {
        if (name.isEmpty()) errors.required(at, "");
        else if (name.length() > 63) errors.tooLong(at, 63);
        else
            errors.invalid(
                    at,
                    name,
                    Names.subdomain(name.toLowerCase(Locale.ROOT).equals(name) ? name : name.toLowerCase(Locale.ROOT)));
    }

    static void references(JsonNode holder, JsonNode devices, String at, Errors errors) {
        var names = items(holder, "requests");
        if (!fits(names, MOST, at + ".requests", errors)) return;
        for (int i = 0; i < names.size(); i++)
            reference(names.get(i).asText(), devices, at + ".requests[" + i + "]", errors);
    }

    static void reference(String name, JsonNode devices, String at, Errors errors) {
        int slash = name.indexOf('/');
        String request = slash < 0 ? name : name.substring(0, slash);
        for (JsonNode each : items(devices, "requests")) {
            if (!text(each, "name").equals(request)) continue;
            if (slash < 0) return;
            for (JsonNode alternative : items(each, "firstAvailable"))
                if (text(alternative, "name").equals(name.substring(slash + 1))) return;
        }
        errors.invalid(at, name, NO_REQUEST);
    }

    static void opaque(JsonNode config, String at, Errors errors) {
        JsonNode opaque = at(config, "opaque");
        if (!opaque.isObject()) {
            errors.required(at + ".opaque", "");
            return;
        }
        driver(text(opaque, "driver"), at + ".opaque.driver", errors);
        if (!has(opaque, "parameters")) errors.required(at + ".opaque.parameters", "");
        else if (!at(opaque, "parameters").isObject())
            errors.invalid(at + ".opaque.parameters", "<value omitted>", "must be a valid JSON object");
    }
}
