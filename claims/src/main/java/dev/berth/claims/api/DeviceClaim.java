package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a pod, or several pods together, ask of devices; and what they got. */
public record DeviceClaim(Metadata metadata, Spec spec, ClaimStatus status) {
    public static final String KIND = "DeviceClaim";

    /** The name of the only instance of a claim in its oldest form, which had none. */
    private static final String OLDEST_INSTANCE = "devices";

    private static final Set<String> OLDEST_FIELDS =
            Set.of("deviceClass", "driver", "constraints", "minDeviceCount", "maxDeviceCount", "configs");

    /**
     * What is asked for.
     *
     * @param matchAttributes all devices of the claim have the same value of each of these
     */
    public record Spec(List<String> matchAttributes, List<String> distinctAttributes, List<Instance> devices) {
        public Spec {
            matchAttributes = List.copyOf(matchAttributes);
            distinctAttributes = List.copyOf(distinctAttributes);
            devices = List.copyOf(devices);
        }
    }

    /** What containers refer to by name: all of these details, and one of those, the first that can be had. */
    public record Instance(String name, List<Detail> allOf, List<Detail> oneOf) {
        public Instance {
            allOf = List.copyOf(allOf);
            oneOf = List.copyOf(oneOf);
        }
    }

    public static DeviceClaim read(Manifest manifest) {
        var object = manifest.fields();
        var metadata = Metadata.namespaced(object.skip("apiVersion", "kind"));
        var spec = spec(object.require("spec"));
        var status = object.find("status").map(ClaimStatus::read).orElse(ClaimStatus.EMPTY);
        object.done();
        return new DeviceClaim(metadata, spec, status);
    }

    private static Spec spec(Field field) {
        var fields = field.fields().skip(OLDEST_FIELDS.toArray(String[]::new));
        boolean oldest = field.value().properties().stream().anyMatch(entry -> OLDEST_FIELDS.contains(entry.getKey()));
        var devices = fields.find("devices");
        if (oldest && devices.isPresent()) {
            throw fields.problem("has devices, and beside them fields that belong into one of their entries");
        }
        if (oldest) {
            var detail = Detail.readOldest(fields);
            fields.done();
            return new Spec(List.of(), List.of(), List.of(new Instance(OLDEST_INSTANCE, List.of(detail), List.of())));
        }
        var spec = new Spec(fields.texts("matchAttributes"), fields.texts("distinctAttributes"), instances(fields));
        fields.done();
        return spec;
    }

    private static List<Instance> instances(Fields spec) {
        List<Instance> instances = new ArrayList<>();
        var names = new HashSet<String>();
        var field = spec.require("devices");
        for (Field item : field.items()) {
            var instance = instance(item);
            if (!names.add(instance.name())) {
                throw item.problem("is a second entry called " + instance.name());
            }
            instances.add(instance);
        }
        if (instances.isEmpty()) {
            throw field.problem("must ask for something");
        }
        return instances;
    }

    private static Instance instance(Field item) {
        var fields = item.fields();
        String name = fields.require("name").text();
        var all = fields.items("allOf");
        var one = fields.items("oneOf");
        boolean direct = item.value().properties().stream().anyMatch(entry -> Detail.isDetailField(entry.getKey()));
        if (direct && !(all.isEmpty() && one.isEmpty())) {
            throw fields.problem("has allOf or oneOf, and beside them fields that belong into one of their entries");
        }
        List<Detail> allOf = direct
                ? List.of(Detail.read(fields))
                : all.stream().map(Detail::read).toList();
        fields.done();
        if (allOf.isEmpty() && one.isEmpty()) {
            throw fields.problem("needs a class, allOf or oneOf");
        }
        return new Instance(name, allOf, one.stream().map(Detail::read).toList());
    }

    public DeviceClaim withStatus(ClaimStatus next) {
        return new DeviceClaim(metadata, spec, next);
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", KIND);
        json.set("metadata", metadata.all());
        var spec = json.putObject("spec");
        this.spec
                .matchAttributes()
                .forEach(name -> spec.withArrayProperty("matchAttributes").add(name));
        this.spec
                .distinctAttributes()
                .forEach(name -> spec.withArrayProperty("distinctAttributes").add(name));
        var devices = spec.putArray("devices");
        for (var instance : this.spec.devices()) {
            var entry = devices.addObject().put("name", instance.name());
            instance.allOf().forEach(detail -> entry.withArrayProperty("allOf").add(detail.json()));
            instance.oneOf().forEach(detail -> entry.withArrayProperty("oneOf").add(detail.json()));
        }
        if (!status.isEmpty()) {
            json.set("status", status.json());
        }
        return json;
    }
}
