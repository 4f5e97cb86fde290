package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.kinds.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which fields a selector may name, for each resource, and where they are in the object. */
final class SelectableFields {
    private static final Map<String, List<String>> OWN = Map.ofEntries(
            Map.entry(
                    "pods",
                    List.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "spec.hostNetwork",
                            "status.phase",
                            "status.podIP",
                            "status.podIPs",
                            "status.nominatedNodeName")),
            Map.entry("nodes", List.of("spec.unschedulable")),
            Map.entry("namespaces", List.of("status.phase")),
            Map.entry("secrets", List.of("type")),
            Map.entry("services", List.of("spec.clusterIP", "spec.type")),
            Map.entry("replicationcontrollers", List.of("status.replicas")),
            Map.entry("jobs.batch", List.of("status.successful")),
            Map.entry("resourceslices.resource.k8s.io", List.of("spec.nodeName", "spec.driver")),
            Map.entry(
                    "events",
                    List.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type")));

    private SelectableFields() {}

    static List<String> of(ResourceType type) {
        return ofTable(EventForms.isConverted(type) ? "events" : type.storageKey());
    }

    static List<String> ofTable(String name) {
        return OWN.getOrDefault(name, List.of());
    }

    /** The values of the type's fields, in order; absent ones are empty. */
    static List<String> values(ResourceType type, JsonNode object) {
        List<String> names = of(type);
        if (names.isEmpty()) return List.of();
        List<String> values = new ArrayList<>(names.size());
        for (String name : names) values.add(value(name, object));
        return List.copyOf(values);
    }

    private static String value(String name, JsonNode object) {
        return switch (name) {
            case "spec.unschedulable", "spec.hostNetwork" ->
                Boolean.toString(at(object, name).asBoolean(false));
            case "status.replicas" -> Long.toString(at(object, name).asLong(0));
            case "status.successful" ->
                Long.toString(object.path("status").path("succeeded").asLong(0));
            case "status.podIPs" ->
                object.path("status").path("podIPs").path(0).path("ip").asText("");
            case "source" -> {
                String component = object.path("source").path("component").asText("");
                yield component.isEmpty() ? object.path("reportingComponent").asText("") : component;
            }
            default -> at(object, name).asText("");
        };
    }

    private static JsonNode at(JsonNode object, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) return object.path(path);
        return object.path(path.substring(0, dot)).path(path.substring(dot + 1));
    }

    /** Where the field's value is in {@link #values}; null for fields that cannot be selected by. */
    static @Nullable Integer index(ResourceType type, String field) {
        int at = of(type).indexOf(EventForms.isConverted(type) ? EventForms.coreName(field) : field);
        return at < 0 ? null : Integer.valueOf(at);
    }
}
