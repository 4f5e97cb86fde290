package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.itemsAt;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What Kubernetes knows of a CustomResourceDefinition. */
final class DefinitionRules implements KindRules {
    private static final String APPROVAL = "api-approved.kubernetes.io";
    private static final String ONE_STORAGE = "must have exactly one version marked as storage version";

    @Override
    public void applyDefaults(ObjectNode definition) {
        ObjectNode spec = objectAt(definition, "spec");
        ObjectNode names = objectAt(spec, "names");
        String kind = text(names, "kind");
        if (!kind.isEmpty()) {
            defaultText(names, "singular", kind.toLowerCase(Locale.ROOT));
            defaultText(names, "listKind", kind + "List");
        }
        defaultText(objectAt(spec, "conversion"), "strategy", "None");
        if (at(at(at(spec, "conversion"), "webhook"), "clientConfig") instanceof ObjectNode client
                && client.get("service") instanceof ObjectNode service) absentNumber(service, "port", 443);
    }

    @Override
    public void prepareForCreate(ObjectNode definition) {
        ObjectNode status = objectAt(definition, "status");
        String storage = storage(definition);
        if (!storage.isEmpty()) status.putArray("storedVersions").add(storage);
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        String storage = storage(next);
        ArrayNode stored = itemsAt(objectAt(next, "status"), "storedVersions");
        for (JsonNode each : stored) if (each.asText().equals(storage)) return;
        if (!storage.isEmpty()) stored.add(storage);
    }

    private static String storage(ObjectNode definition) {
        for (JsonNode version : items(at(definition, "spec"), "versions"))
            if (flag(version, "storage")) return text(version, "name");
        return "";
    }

    @Override
    public List<FieldError> validate(ObjectNode definition) {
        var errors = new Errors();
        JsonNode spec = at(definition, "spec");
        JsonNode names = at(spec, "names");
        String name = text(at(definition, "metadata"), "name");
        if (!name.equals(text(names, "plural") + "." + text(spec, "group")))
            errors.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        group(definition, spec, errors);
        scope(text(spec, "scope"), errors);
        versions(spec, errors);
        for (String field : List.of("plural", "singular", "kind", "listKind"))
            if (text(names, field).isEmpty()) errors.required("spec.names." + field, "");
        names(names, errors);
        stored(definition, errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode spec = at(next, "spec");
        JsonNode before = at(old, "spec");
        errors.addAll(validate(next));
        if (!text(spec, "group").equals(text(before, "group")))
            errors.invalid("spec.group", text(spec, "group"), Metadata.IMMUTABLE);
        if (!text(spec, "scope").equals(text(before, "scope")))
            errors.invalid("spec.scope", text(spec, "scope"), Metadata.IMMUTABLE);
        String kind = text(at(spec, "names"), "kind");
        if (!kind.equals(text(at(before, "names"), "kind")))
            errors.invalid("spec.names.kind", kind, Metadata.IMMUTABLE);
        return errors.list();
    }

    private static void group(ObjectNode definition, JsonNode spec, Errors errors) {
        String group = text(spec, "group");
        if (group.isEmpty()) errors.required("spec.group", "");
        else {
            errors.invalid("spec.group", group, Names.subdomain(group));
            if (group.indexOf('.') < 0) errors.invalid("spec.group", group, "should be a domain with at least one dot");
        }
        boolean owned = group.endsWith(".k8s.io") || group.endsWith(".kubernetes.io");
        if (!owned) return;
        String approval = text(at(at(definition, "metadata"), "annotations"), APPROVAL);
        String at = "metadata.annotations[" + APPROVAL + "]";
        if (approval.isEmpty())
            errors.required(
                    at,
                    "protected groups must have approval annotation \"" + APPROVAL
                            + "\", see https://github.com/kubernetes/enhancements/pull/1111");
        else if (!approval.startsWith("unapproved") && !approval.startsWith("http"))
            errors.invalid(
                    at,
                    approval,
                    "protected groups must have approval annotation \"" + APPROVAL
                            + "\" with either a URL or a reason starting with \"unapproved\", see https://github.com/kubernetes/enhancements/pull/1111");
    }

    private static void scope(String scope, Errors errors) {
        if (scope.isEmpty()) errors.required("spec.scope", "");
        else if (!scope.equals("Cluster") && !scope.equals("Namespaced"))
            errors.notSupported("spec.scope", scope, List.of("Cluster", "Namespaced"));
    }

    private static void versions(JsonNode spec, Errors errors) {
        var versions = items(spec, "versions");
        int storages = 0;
        Set<String> seen = new HashSet<>();
        boolean unique = true;
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.get(i);
            String at = "spec.versions[" + i + "]";
            String name = text(version, "name");
            if (flag(version, "storage")) storages++;
            unique &= seen.add(name);
            errors.invalid(at + ".name", name, Names.label1035(name));
            JsonNode schema = at(at(version, "schema"), "openAPIV3Schema");
            if (schema.isMissingNode()) errors.required(at + ".schema.openAPIV3Schema", "");
            // With one version the real server names the field that it once was.
            else
                StructuralCheck.run(
                        schema,
                        versions.size() == 1 ? "spec.validation.openAPIV3Schema" : at + ".schema.openAPIV3Schema",
                        errors);
        }
        if (!unique) errors.invalid("spec.versions", internal(versions), "must contain unique version names");
        if (storages != 1) errors.invalid("spec.versions", internal(versions), ONE_STORAGE);
    }

    private static JsonNode internal(ArrayNode versions) {
        if (versions.isEmpty()) return MissingNode.getInstance();
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        boolean same = sameSchemas(versions);
        for (JsonNode version : versions) {
            JsonNode internal = InternalForm.of("apiextensions.CustomResourceDefinitionVersion", version);
            // What all versions share is moved to the top before the check.
            if (same && internal instanceof ObjectNode object)
                for (String field : List.of("Schema", "Subresources", "AdditionalPrinterColumns"))
                    object.putNull(field);
            all.add(internal);
        }
        return all;
    }

    private static boolean sameSchemas(ArrayNode versions) {
        for (JsonNode version : versions)
            if (!at(version, "schema").equals(at(versions.get(0), "schema"))) return false;
        return true;
    }

    private static void names(JsonNode names, Errors errors) {
        for (String field : List.of("plural", "singular")) {
            String name = text(names, field);
            if (!name.isEmpty()) errors.invalid("spec.names." + field, name, Names.label1035(name));
        }
        for (String field : List.of("kind", "listKind")) {
            String name = text(names, field);
            if (!name.isEmpty()) errors.invalid("spec.names." + field, name, lowered(name));
        }
        if (!text(names, "kind").isEmpty() && text(names, "kind").equals(text(names, "listKind")))
            errors.invalid("spec.names.listKind", text(names, "listKind"), "kind and listKind may not be the same");
    }

    private static List<String> lowered(String name) {
        List<String> wrong = new ArrayList<>();
        for (String each : Names.label1035(name.toLowerCase(Locale.ROOT)))
            wrong.add("may have mixed case, but should otherwise match: " + each);
        return wrong;
    }

    private static void stored(ObjectNode definition, Errors errors) {
        var stored = items(at(definition, "status"), "storedVersions");
        if (stored.isEmpty()) {
            errors.invalid("status.storedVersions", MissingNode.getInstance(), "must have at least one stored version");
            return;
        }
        for (JsonNode version : items(at(definition, "spec"), "versions"))
            if (flag(version, "storage") && !contains(stored, text(version, "name")))
                errors.invalid(
                        "status.storedVersions", stored, "must have the storage version " + text(version, "name"));
    }

    private static boolean contains(ArrayNode values, String wanted) {
        for (JsonNode value : values) if (value.asText().equals(wanted)) return true;
        return false;
    }
}
