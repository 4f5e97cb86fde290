package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Finds what is wrong in a container's environment. */
final class EnvironmentCheck {
    private static final List<String> SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");
    private static final Set<String> FIELDS = Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "metadata.labels",
            "metadata.annotations",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "spec.hostNetwork",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName");
    private static final List<String> ENVIRONMENT_FIELDS = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    private EnvironmentCheck() {}

    static void run(JsonNode container, String path, Errors errors) {
        var variables = items(container, "env");
        for (int i = 0; i < variables.size(); i++) {
            JsonNode variable = variables.get(i);
            String at = path + ".env[" + i + "]";
            String name = text(variable, "name");
            if (name.isEmpty()) errors.required(at + ".name", "");
            else name(name, at + ".name", errors);
            if (has(variable, "valueFrom")) source(variable, at + ".valueFrom", errors);
        }
        var all = items(container, "envFrom");
        for (int i = 0; i < all.size(); i++) allOf(all.get(i), path + ".envFrom[" + i + "]", errors);
    }

    private static void name(String name, String at, Errors errors) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= ' ' && c < 127 && c != '=') continue;
            errors.invalid(
                    at,
                    name,
                    "a valid environment variable name must consist only of printable ASCII characters other than '='");
            return;
        }
    }

    private static void source(JsonNode variable, String at, Errors errors) {
        JsonNode source = at(variable, "valueFrom");
        int count = 0;
        for (String each : SOURCES) if (has(source, each)) count++;
        field(at(source, "fieldRef"), at + ".fieldRef", errors);
        JsonNode resource = at(source, "resourceFieldRef");
        if (resource.isObject() && text(resource, "resource").isEmpty())
            errors.required(at + ".resourceFieldRef.resource", "");
        for (String each : List.of("configMapKeyRef", "secretKeyRef"))
            if (has(source, each)) key(at(source, each), at + "." + each, errors);
        if (count == 0)
            errors.invalid(
                    at,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
        else if (!text(variable, "value").isEmpty())
            errors.invalid(at, "", "may not be specified when `value` is not empty");
        else if (count > 1) errors.invalid(at, "", "may not have more than one field specified at a time");
    }

    private static void field(JsonNode reference, String at, Errors errors) {
        if (!reference.isObject()) return;
        String field = text(reference, "fieldPath");
        int bracket = field.indexOf("['");
        boolean subscript = bracket > 0 && field.endsWith("']");
        String base = subscript ? field.substring(0, bracket) : field;
        if (field.isEmpty()) errors.required(at + ".fieldPath", "");
        else if (subscript && !base.equals("metadata.labels") && !base.equals("metadata.annotations"))
            errors.invalid(at + ".fieldPath", base, "does not support subscript");
        else if (!FIELDS.contains(base))
            errors.invalid(at + ".fieldPath", field, "error converting fieldPath: field label not supported: " + field);
        else if (!subscript && !ENVIRONMENT_FIELDS.contains(field))
            errors.notSupported(at + ".fieldPath", field, ENVIRONMENT_FIELDS);
    }

    private static void key(JsonNode selector, String at, Errors errors) {
        String name = text(selector, "name");
        errors.invalid(at + ".name", name, Names.subdomain(name));
        String key = text(selector, "key");
        if (key.isEmpty()) errors.required(at + ".key", "");
        else errors.invalid(at + ".key", key, Names.configKey(key));
    }

    private static void allOf(JsonNode source, String at, Errors errors) {
        if (has(source, "prefix")) name(text(source, "prefix"), at + ".prefix", errors);
        boolean map = has(source, "configMapRef");
        boolean secret = has(source, "secretRef");
        for (String each : List.of("configMapRef", "secretRef"))
            if (has(source, each) && text(at(source, each), "name").isEmpty())
                errors.required(at + "." + each + ".name", "");
        if (!map && !secret) errors.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
        else if (map && secret) errors.invalid(at, "", "may not have more than one field specified at a time");
    }
}
