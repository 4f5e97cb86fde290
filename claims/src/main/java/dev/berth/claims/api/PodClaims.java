package dev.berth.claims.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a pod says about device claims: in its fields, or in the annotation on servers that know no such fields.
 *
 * @param containers the instances that each container uses, by its name
 */
public record PodClaims(Source source, Map<String, Set<String>> containers) {
    /** Where the claim comes from: exactly one of three. */
    public sealed interface Source {}

    /** A claim for each entry, made for the pod and gone with it. */
    public record Direct(List<Entry> entries) implements Source {
        /** One device of a class, under a name. */
        public record Entry(String name, String deviceClass) {}

        public Direct {
            entries = List.copyOf(entries);
        }
    }

    /** A claim that was made before, and that several pods may use. */
    public record Shared(String claimName) implements Source {}

    /**
     * A claim whose spec is copied into a new one.
     *
     * @param name of the new claim; without it one is made from the pod's
     */
    public record Template(
            String claimName, Optional<String> name, Map<String, String> labels, Map<String, String> annotations)
            implements Source {
        public Template {
            labels = Map.copyOf(labels);
            annotations = Map.copyOf(annotations);
        }
    }

    public PodClaims {
        containers = Map.copyOf(containers);
    }

    /** What the pod claims; empty for a pod without claims. */
    public static Optional<PodClaims> read(Manifest pod) {
        String annotation = pod.body()
                .path("metadata")
                .path("annotations")
                .path(Group.CLAIMS_ANNOTATION)
                .asText("");
        JsonNode spec = pod.body().path("spec");
        boolean fields = spec.hasNonNull("deviceClaims") || containersIn(spec);
        if (annotation.isEmpty()) {
            return fields ? Optional.of(ofFields(pod)) : Optional.empty();
        }
        if (fields) {
            throw pod.problem("has device claims in its fields and in the annotation " + Group.CLAIMS_ANNOTATION
                    + ": give only one of them");
        }
        return Optional.of(ofAnnotation(pod, annotation));
    }

    private static boolean containersIn(JsonNode spec) {
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : spec.path(list)) {
                if (container.hasNonNull("devices")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static PodClaims ofFields(Manifest pod) {
        var spec = pod.fields().require("spec").fields();
        Map<String, Set<String>> uses = new TreeMap<>();
        List<Field> containers = new ArrayList<>(spec.items("containers"));
        containers.addAll(spec.items("initContainers"));
        for (Field container : containers) {
            var fields = container.fields();
            var devices = fields.items("devices");
            if (!devices.isEmpty()) {
                uses.put(fields.require("name").text(), names(devices));
            }
        }
        return new PodClaims(source(spec.require("deviceClaims")), uses);
    }

    private static PodClaims ofAnnotation(Manifest pod, String text) {
        JsonNode tree;
        try {
            tree = new ObjectMapper().readTree(text);
        } catch (JsonProcessingException notJson) {
            throw pod.problem("the annotation %s is not JSON: %s"
                    .formatted(Group.CLAIMS_ANNOTATION, notJson.getOriginalMessage()));
        }
        if (!(tree instanceof ObjectNode object)) {
            throw pod.problem("the annotation %s must hold an object".formatted(Group.CLAIMS_ANNOTATION));
        }
        var fields = pod.within(Group.CLAIMS_ANNOTATION, object).fields();
        Map<String, Set<String>> uses = new TreeMap<>();
        for (Field container : fields.items("containers")) {
            var entry = container.fields();
            uses.put(entry.require("name").text(), names(entry.items("devices")));
            entry.done();
        }
        var claims = new PodClaims(source(fields.require("deviceClaims")), uses);
        fields.done();
        return claims;
    }

    private static Set<String> names(List<Field> devices) {
        Set<String> names = new TreeSet<>();
        for (Field device : devices) {
            var fields = device.fields();
            names.add(fields.require("name").text());
            fields.done();
        }
        return names;
    }

    private static Source source(Field field) {
        var fields = field.fields();
        var devices = fields.find("devices");
        var shared = fields.find("claimName");
        var template = fields.find("template");
        fields.done();
        int given = (devices.isPresent() ? 1 : 0) + (shared.isPresent() ? 1 : 0) + (template.isPresent() ? 1 : 0);
        if (given != 1) {
            throw field.problem("needs exactly one of devices, claimName and template, not " + given);
        }
        if (shared.isPresent()) {
            return new Shared(shared.get().text());
        }
        return template.isPresent() ? template(template.get()) : direct(devices.orElseThrow());
    }

    private static Direct direct(Field field) {
        List<Direct.Entry> entries = new ArrayList<>();
        var names = new HashSet<String>();
        for (Field item : field.items()) {
            var fields = item.fields();
            var entry = new Direct.Entry(
                    fields.require("name").text(), fields.require("class").text());
            fields.done();
            if (!names.add(entry.name())) {
                throw item.problem("is a second entry called " + entry.name());
            }
            entries.add(entry);
        }
        if (entries.isEmpty()) {
            throw field.problem("must ask for something");
        }
        return new Direct(entries);
    }

    private static Template template(Field field) {
        var fields = field.fields();
        // The metadata of the new claim stands beside the template's name, or in an object of its own.
        Fields metadata = fields.find("metadata").map(Field::fields).orElse(fields);
        var template = new Template(
                fields.require("claimName").text(),
                metadata.text("name"),
                Metadata.texts(metadata, "labels"),
                Metadata.texts(metadata, "annotations"));
        metadata.done();
        fields.done();
        return template;
    }

    /** The {@code deviceClaims} field. */
    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        switch (source) {
            case Direct(var entries) ->
                entries.forEach(entry -> json.withArrayProperty("devices")
                        .addObject()
                        .put("name", entry.name())
                        .put("class", entry.deviceClass()));
            case Shared(var claimName) -> json.put("claimName", claimName);
            case Template template -> {
                var entry = json.putObject("template");
                template.name().ifPresent(name -> entry.put("name", name));
                new TreeMap<>(template.labels()).forEach(entry.withObjectProperty("labels")::put);
                new TreeMap<>(template.annotations()).forEach(entry.withObjectProperty("annotations")::put);
                entry.put("claimName", template.claimName());
                for (String map : new String[] {"labels", "annotations"}) {
                    if (entry.path(map).isEmpty()) {
                        entry.remove(map);
                    }
                }
            }
        }
        return json;
    }
}
