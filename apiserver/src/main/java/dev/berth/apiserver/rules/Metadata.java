package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** What holds for the metadata of objects of every kind. */
final class Metadata {
    static final String IMMUTABLE = "field is immutable";

    private static final int ANNOTATIONS_LIMIT = 256 * 1024;
    private static final List<String> STANDARD_FINALIZERS =
            List.of("kubernetes", "orphan", "foregroundDeletion", "customresourcecleanup.apiextensions.k8s.io");
    private static final List<String> FIXED =
            List.of("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");

    private Metadata() {}

    /** Takes from the stored object what an update cannot change and need not send. */
    static void keep(ObjectNode next, ObjectNode old) {
        ObjectNode metadata = objectAt(next, "metadata");
        JsonNode stored = at(old, "metadata");
        keepFrom(stored, metadata, "generation");
        if (text(metadata, "uid").isEmpty()) keepFrom(stored, metadata, "uid");
        keepFrom(stored, metadata, "creationTimestamp");
        if (has(stored, "deletionTimestamp")) keepFrom(stored, metadata, "deletionTimestamp");
        if (!has(metadata, "deletionGracePeriodSeconds")) keepFrom(stored, metadata, "deletionGracePeriodSeconds");
    }

    static void keepFrom(JsonNode old, ObjectNode next, String field) {
        JsonNode value = old.get(field);
        if (value == null) next.remove(field);
        else next.set(field, value);
    }

    static void validate(JsonNode metadata, boolean namespaced, Names.Rule rule, String path, Errors errors) {
        String generateName = text(metadata, "generateName");
        if (!generateName.isEmpty())
            errors.invalid(path + ".generateName", generateName, rule.wrong(prefixOf(generateName)));
        String name = text(metadata, "name");
        if (name.isEmpty()) errors.required(path + ".name", "name or generateName is required");
        else errors.invalid(path + ".name", name, rule.wrong(name));
        String namespace = text(metadata, "namespace");
        if (!namespaced && !namespace.isEmpty()) errors.forbidden(path + ".namespace", "not allowed on this type");
        if (namespaced && namespace.isEmpty()) errors.required(path + ".namespace", "");
        if (namespaced && !namespace.isEmpty()) errors.invalid(path + ".namespace", namespace, Names.label(namespace));
        if (number(metadata, "generation") < 0)
            errors.invalid(path + ".generation", number(metadata, "generation"), Wording.NOT_NEGATIVE);
        labels(at(metadata, "labels"), path + ".labels", errors);
        annotations(at(metadata, "annotations"), path + ".annotations", errors);
        owners(items(metadata, "ownerReferences"), path + ".ownerReferences", errors);
        finalizers(items(metadata, "finalizers"), path + ".finalizers", errors);
    }

    /** A prefix may end in a dash, because more characters follow. */
    private static String prefixOf(String generateName) {
        boolean masked = generateName.length() > 1 && generateName.endsWith("-");
        return masked ? generateName.substring(0, generateName.length() - 2) + "a" : generateName;
    }

    static void validateUpdate(JsonNode next, JsonNode old, Errors errors) {
        if (has(old, "deletionTimestamp")) noNewFinalizers(next, old, errors);
        if (number(next, "generation") < number(old, "generation"))
            errors.invalid("metadata.generation", number(next, "generation"), "must not be decremented");
        for (String field : FIXED)
            if (!at(next, field).equals(at(old, field)))
                errors.invalid("metadata." + field, at(next, field), IMMUTABLE);
        labels(at(next, "labels"), "metadata.labels", errors);
        annotations(at(next, "annotations"), "metadata.annotations", errors);
        owners(items(next, "ownerReferences"), "metadata.ownerReferences", errors);
    }

    private static void noNewFinalizers(JsonNode next, JsonNode old, Errors errors) {
        var added = new TreeSet<String>();
        for (JsonNode each : items(next, "finalizers")) added.add(each.asText());
        for (JsonNode each : items(old, "finalizers")) added.remove(each.asText());
        if (added.isEmpty()) return;
        List<String> quoted = new ArrayList<>();
        for (String each : added) quoted.add(Errors.quoted(each));
        errors.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                        + String.join(", ", quoted) + "}");
    }

    static void labels(JsonNode labels, String path, Errors errors) {
        if (!labels.isObject()) return;
        for (var label : labels.properties()) {
            errors.invalid(path, label.getKey(), Names.qualified(label.getKey()));
            String value = label.getValue().asText();
            errors.invalid(path, value, Names.labelValue(value));
        }
    }

    static void annotations(JsonNode annotations, String path, Errors errors) {
        if (!annotations.isObject()) return;
        long size = 0;
        for (var annotation : annotations.properties()) {
            String key = annotation.getKey();
            errors.invalid(path, key, Names.qualified(key.toLowerCase(Locale.ROOT)));
            size += utf8(key) + utf8(annotation.getValue().asText());
        }
        if (size > ANNOTATIONS_LIMIT) errors.tooLong(path, ANNOTATIONS_LIMIT);
    }

    static long utf8(String text) {
        // Three bytes a character at most: short texts need no counting.
        return text.length() < 1024 ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void owners(Iterable<JsonNode> owners, String path, Errors errors) {
        String controller = "";
        for (JsonNode owner : owners) {
            String apiVersion = text(owner, "apiVersion");
            if (apiVersion.isEmpty()) errors.invalid(path + ".apiVersion", "", "version must not be empty");
            for (String field : List.of("kind", "name", "uid"))
                if (text(owner, field).isEmpty()) errors.invalid(path + "." + field, "", "must not be empty");
            if (apiVersion.equals("v1") && text(owner, "kind").equals("Event"))
                errors.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner");
            if (!Tree.flag(owner, "controller")) continue;
            String name = text(owner, "kind") + "/" + text(owner, "name");
            if (controller.isEmpty()) controller = name;
            else
                errors.invalid(
                        path,
                        (JsonNode) owners,
                        "Only one reference can have Controller set to true. Found \"true\" in references for %s and %s"
                                .formatted(controller, name));
        }
    }

    /** Kinds of Kubernetes itself take only its own finalizers without a domain. */
    static void knownFinalizers(JsonNode metadata, Errors errors) {
        int index = 0;
        for (JsonNode each : items(metadata, "finalizers")) {
            String name = each.asText();
            if (!name.contains("/")
                    && !STANDARD_FINALIZERS.contains(name)
                    && Names.qualified(name).isEmpty())
                errors.invalid(
                        "metadata.finalizers[" + index + "]",
                        name,
                        "name is neither a standard finalizer name nor is it fully qualified");
            index++;
        }
    }

    private static void finalizers(JsonNode finalizers, String path, Errors errors) {
        boolean orphan = false;
        boolean foreground = false;
        for (JsonNode each : finalizers) {
            String name = each.asText();
            errors.invalid(path, name, Names.qualified(name));
            orphan |= name.equals("orphan");
            foreground |= name.equals("foregroundDeletion");
        }
        if (orphan && foreground)
            errors.invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set");
    }
}
