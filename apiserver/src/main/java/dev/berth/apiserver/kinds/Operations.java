package dev.berth.apiserver.kinds;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What can be done with a type, as OpenAPI documents list it: an address, a method, and the definitions on both ends.
 */
record Operations(ResourceType type, String definition, String listDefinition, List<String> patchTypes) {
    private static final String PATCH = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
    private static final String STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";

    /**
     * @param action as {@code x-kubernetes-action} says it
     * @param body the definition of the request's body; empty for none
     */
    record Operation(
            String path,
            String method,
            String action,
            String id,
            String description,
            GroupVersionKind kind,
            Optional<String> body,
            String response) {}

    record GroupVersionKind(String group, String version, String kind) {
        String definition() {
            return BuiltInTypes.definition(group, version, kind);
        }
    }

    /** {@code /apis/apps/v1}. */
    static String root(String group, String version) {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    List<Operation> all() {
        List<Operation> all = new ArrayList<>();
        String root = root(type.group(), type.version());
        String collection = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        String object = collection + "/{name}";
        GroupVersionKind own = new GroupVersionKind(type.group(), type.version(), type.kind());
        collection(all, collection, own);
        if (type.namespaced() && type.verbs().contains("list")) {
            all.add(new Operation(
                    root + "/" + type.plural(),
                    "get",
                    "list",
                    id("list", "ForAllNamespaces"),
                    "list or watch objects of kind " + type.kind(),
                    own,
                    Optional.empty(),
                    listDefinition));
        }
        if (type.verbs().contains("get")) object(all, object, own);
        for (String name : type.subresources()) subresource(all, object + "/" + name, name, own);
        return all;
    }

    private void collection(List<Operation> all, String path, GroupVersionKind own) {
        String kind = type.kind();
        if (type.verbs().contains("list")) {
            all.add(new Operation(
                    path,
                    "get",
                    "list",
                    id("list", ""),
                    "list or watch objects of kind " + kind,
                    own,
                    Optional.empty(),
                    listDefinition));
        }
        all.add(new Operation(
                path,
                "post",
                "post",
                id("create", ""),
                article("create", kind),
                own,
                Optional.of(definition),
                definition));
        if (type.verbs().contains("deletecollection")) {
            all.add(new Operation(
                    path,
                    "delete",
                    "deletecollection",
                    id("deleteCollection", ""),
                    "delete collection of " + kind,
                    own,
                    Optional.of(Schemas.DELETE_OPTIONS),
                    STATUS));
        }
    }

    private void object(List<Operation> all, String path, GroupVersionKind own) {
        String kind = type.kind();
        all.add(new Operation(
                path, "get", "get", id("read", ""), "read the specified " + kind, own, Optional.empty(), definition));
        all.add(new Operation(
                path,
                "put",
                "put",
                id("replace", ""),
                "replace the specified " + kind,
                own,
                Optional.of(definition),
                definition));
        all.add(new Operation(
                path,
                "patch",
                "patch",
                id("patch", ""),
                "partially update the specified " + kind,
                own,
                Optional.of(PATCH),
                definition));
        all.add(new Operation(
                path,
                "delete",
                "delete",
                id("delete", ""),
                article("delete", kind),
                own,
                Optional.of(Schemas.DELETE_OPTIONS),
                STATUS));
    }

    private void subresource(List<Operation> all, String path, String name, GroupVersionKind own) {
        GroupVersionKind kind = Discovery.subresourceKind(type, name).orElse(own);
        String model = kind.equals(own) ? definition : kind.definition();
        String suffix = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (String verb : Discovery.verbs(type, name)) {
            String what = name + " of the specified " + type.kind();
            all.add(
                    switch (verb) {
                        case "get" ->
                            new Operation(
                                    path,
                                    "get",
                                    "get",
                                    id("read", suffix),
                                    "read " + what,
                                    kind,
                                    Optional.empty(),
                                    model);
                        case "update" ->
                            new Operation(
                                    path,
                                    "put",
                                    "put",
                                    id("replace", suffix),
                                    "replace " + what,
                                    kind,
                                    Optional.of(model),
                                    model);
                        case "patch" ->
                            new Operation(
                                    path,
                                    "patch",
                                    "patch",
                                    id("patch", suffix),
                                    "partially update " + what,
                                    kind,
                                    Optional.of(PATCH),
                                    model);
                        default ->
                            new Operation(
                                    path,
                                    "post",
                                    "post",
                                    id("create", suffix),
                                    "create " + what,
                                    kind,
                                    Optional.of(model),
                                    model);
                    });
        }
    }

    private static String article(String verb, String kind) {
        return verb + ("AEIO".indexOf(kind.charAt(0)) >= 0 ? " an " : " a ") + kind;
    }

    private String id(String verb, String suffix) {
        return verb
                + tag(type.group(), type.version(), true)
                + (type.namespaced() ? "Namespaced" : "")
                + type.kind()
                + suffix;
    }

    /** {@code core_v1}, or {@code CoreV1} inside an operation's id. */
    static String tag(String group, String version, boolean camel) {
        String first = group.isEmpty()
                ? "core"
                : group.replace(".k8s.io", "")
                        .replace(".authorization", "Authorization")
                        .replace(".apiserver", "Apiserver");
        if (!camel) return first + "_" + version;
        StringBuilder word = new StringBuilder();
        for (String part : (first + "." + version).split("[.]", -1)) {
            if (!part.isEmpty())
                word.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
        }
        return word.toString();
    }
}
