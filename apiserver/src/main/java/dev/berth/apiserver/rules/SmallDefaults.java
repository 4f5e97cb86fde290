package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentFlag;
import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;

/** Kinds of which only the defaults are known here. */
final class SmallDefaults {
    private SmallDefaults() {}

    /** Fills in one object. */
    @FunctionalInterface
    interface Defaults extends KindRules {
        void fill(ObjectNode object);

        @Override
        default void applyDefaults(ObjectNode object) {
            fill(object);
        }
    }

    static KindRules networkPolicy() {
        return (Defaults) policy -> {
            ObjectNode spec = objectAt(policy, "spec");
            for (String direction : List.of("ingress", "egress"))
                for (JsonNode rule : items(spec, direction))
                    for (JsonNode port : items(rule, "ports")) absentText((ObjectNode) port, "protocol", "TCP");
            if (!items(spec, "policyTypes").isEmpty()) return;
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!items(spec, "egress").isEmpty()) types.add("Egress");
        };
    }

    static KindRules autoscaler() {
        return (Defaults) autoscaler -> {
            ObjectNode spec = objectAt(autoscaler, "spec");
            absentNumber(spec, "minReplicas", 1);
            if (!items(spec, "metrics").isEmpty()) return;
            ObjectNode cpu =
                    spec.putArray("metrics").addObject().put("type", "Resource").putObject("resource");
            cpu.put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", 80);
        };
    }

    static KindRules endpointSlice() {
        return (Defaults) slice -> {
            for (JsonNode each : items(slice, "ports")) {
                absentText((ObjectNode) each, "name", "");
                absentText((ObjectNode) each, "protocol", "TCP");
            }
        };
    }

    static KindRules endpoints() {
        return (Defaults) endpoints -> {
            for (JsonNode subset : items(endpoints, "subsets"))
                for (JsonNode port : items(subset, "ports")) defaultText((ObjectNode) port, "protocol", "TCP");
        };
    }

    static KindRules storageClass() {
        return (Defaults) storage -> {
            absentText(storage, "reclaimPolicy", "Delete");
            absentText(storage, "volumeBindingMode", "Immediate");
        };
    }

    static KindRules volumeClaim() {
        return new Defaults() {
            @Override
            public void fill(ObjectNode claim) {
                absentText(objectAt(claim, "spec"), "volumeMode", "Filesystem");
                defaultText(objectAt(claim, "status"), "phase", "Pending");
            }

            @Override
            public void prepareForCreate(ObjectNode claim) {
                claim.putObject("status").put("phase", "Pending");
            }
        };
    }

    static KindRules volume(InstantSource clock) {
        return new Defaults() {
            @Override
            public void fill(ObjectNode volume) {
                ObjectNode spec = objectAt(volume, "spec");
                defaultText(spec, "persistentVolumeReclaimPolicy", "Retain");
                absentText(spec, "volumeMode", "Filesystem");
                if (spec.get("hostPath") instanceof ObjectNode path) absentText(path, "type", "");
                defaultText(objectAt(volume, "status"), "phase", "Pending");
            }

            @Override
            public void prepareForCreate(ObjectNode volume) {
                volume.putObject("status")
                        .put("phase", "Pending")
                        .put("lastPhaseTransitionTime", Times.seconds(clock.instant()));
            }
        };
    }

    static KindRules limitRange() {
        return (Defaults) range -> {
            for (JsonNode each : items(at(range, "spec"), "limits")) {
                if (!(each instanceof ObjectNode limit) || !text(limit, "type").equals("Container")) continue;
                copyAbsent(limit, "max", "default");
                copyAbsent(limit, "default", "defaultRequest");
                copyAbsent(limit, "min", "defaultRequest");
            }
        };
    }

    private static void copyAbsent(ObjectNode limit, String from, String to) {
        for (var entry : at(limit, from).properties()) {
            ObjectNode target = objectAt(limit, to);
            if (!has(target, entry.getKey())) target.set(entry.getKey(), entry.getValue());
        }
    }

    static KindRules replicationController() {
        return (Defaults) controller -> {
            ObjectNode spec = objectAt(controller, "spec");
            Templates.applyDefaults(spec);
            JsonNode labels = at(at(at(spec, "template"), "metadata"), "labels");
            ObjectNode metadata = objectAt(controller, "metadata");
            if (labels.isObject() && at(spec, "selector").isEmpty()) spec.set("selector", labels.deepCopy());
            if (labels.isObject() && at(metadata, "labels").isEmpty()) metadata.set("labels", labels.deepCopy());
            absentNumber(spec, "replicas", 1);
        };
    }

    static KindRules podTemplate() {
        return (Defaults) template -> PodSpecDefaults.apply(objectAt(objectAt(template, "template"), "spec"));
    }

    static KindRules storageDriver() {
        return (Defaults) driver -> {
            ObjectNode spec = objectAt(driver, "spec");
            absentFlag(spec, "attachRequired", true);
            absentText(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
            for (String field : List.of("podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity"))
                absentFlag(spec, field, false);
            if (items(spec, "volumeLifecycleModes").isEmpty())
                spec.putArray("volumeLifecycleModes").add("Persistent");
        };
    }
}
