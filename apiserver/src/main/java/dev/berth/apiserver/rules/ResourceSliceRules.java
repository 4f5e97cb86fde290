package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What Kubernetes knows of a ResourceSlice. */
final class ResourceSliceRules implements KindRules {
    private static final Pattern VERSION =
            Pattern.compile("(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?");
    private static final String ONE_PLACE =
            "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
    private static final int MOST_DEVICES = 128;
    private static final int MOST_ADVANCED_DEVICES = 64;
    private static final List<String> VALUES =
            List.of("int", "bool", "string", "version", "ints", "bools", "strings", "versions");

    private final InstantSource clock;

    ResourceSliceRules(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void applyDefaults(ObjectNode slice) {
        for (JsonNode device : items(at(slice, "spec"), "devices"))
            for (JsonNode each : items(device, "taints"))
                if (each instanceof ObjectNode taint && !has(taint, "timeAdded"))
                    taint.put("timeAdded", Times.seconds(clock.instant()));
    }

    @Override
    public List<FieldError> validate(ObjectNode slice) {
        var errors = new Errors();
        JsonNode spec = at(slice, "spec");
        source(spec, errors);
        content(spec, errors);
        return errors.list();
    }

    private static void source(JsonNode spec, Errors errors) {
        DeviceClaims.driver(text(spec, "driver"), "spec.driver", errors);
        JsonNode pool = at(spec, "pool");
        pool(text(pool, "name"), "spec.pool.name", errors);
        if (number(pool, "resourceSliceCount") <= 0)
            errors.invalid(
                    "spec.pool.resourceSliceCount", number(pool, "resourceSliceCount"), "must be greater than zero");
        if (number(pool, "generation") < 0)
            errors.invalid("spec.pool.generation", number(pool, "generation"), "must be greater than or equal to zero");
    }

    static void pool(String name, String at, Errors errors) {
        if (name.isEmpty()) {
            errors.required(at, "");
            return;
        }
        if (name.length() > 253) errors.tooLong(at, 253);
        for (String part : name.split("/", -1)) errors.invalid(at, part, Names.subdomain(part));
    }

    private static void content(JsonNode spec, Errors errors) {
        places(spec, errors);
        var devices = items(spec, "devices");
        if (has(spec, "sharedCounters") && has(spec, "devices"))
            errors.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed");
        int most = isAdvanced(devices) ? MOST_ADVANCED_DEVICES : MOST_DEVICES;
        if (DeviceClaims.fits(devices, most, "spec.devices", errors)) {
            for (int i = 0; i < devices.size(); i++) device(devices.get(i), "spec.devices[" + i + "]", errors);
            DeviceClaims.unique(devices, "name", "spec.devices", errors);
        }
        var counters = items(spec, "sharedCounters");
        if (DeviceClaims.fits(counters, 8, "spec.sharedCounters", errors))
            DeviceClaims.unique(counters, "name", "spec.sharedCounters", errors);
    }

    private static void places(JsonNode spec, Errors errors) {
        List<String> set = new ArrayList<>();
        if (has(spec, "nodeName")) {
            String name = text(spec, "nodeName");
            if (name.isEmpty())
                errors.invalid("spec.nodeName", name, "must be either unset or set to a non-empty string");
            else set.add("`nodeName`");
            if (!name.isEmpty()) errors.invalid("spec.nodeName", name, Names.subdomain(name));
        }
        if (has(spec, "nodeSelector")) {
            set.add("`nodeSelector`");
            AffinityCheck.nodeSelector(at(spec, "nodeSelector"), "spec.nodeSelector", errors);
        }
        for (String field : List.of("allNodes", "perDeviceNodeSelection")) {
            if (flag(spec, field)) set.add("`" + field + "`");
            else if (has(spec, field))
                errors.add(FieldError.invalid("spec." + field, "false", "must be either unset or set to true"));
        }
        if (set.isEmpty()) errors.required("spec", ONE_PLACE);
        if (set.size() > 1)
            errors.invalid("spec", "{" + String.join(", ", set) + "}", ONE_PLACE + ", but multiple fields are set");
    }

    private static boolean isAdvanced(ArrayNode devices) {
        for (JsonNode device : devices) {
            if (!items(device, "taints").isEmpty()
                    || !items(device, "consumesCounters").isEmpty()) return true;
            for (JsonNode value : at(device, "attributes"))
                for (String list : List.of("ints", "bools", "strings", "versions")) if (has(value, list)) return true;
        }
        return false;
    }

    private static void device(JsonNode device, String at, Errors errors) {
        errors.invalid(at + ".name", text(device, "name"), Names.label(text(device, "name")));
        JsonNode attributes = at(device, "attributes");
        JsonNode capacity = at(device, "capacity");
        int together = attributes.size() + capacity.size();
        if (together > 32)
            errors.invalid(at, together, "the total number of attributes and capacities must not exceed 32");
        for (var entry : attributes.properties()) {
            DeviceClaims.qualified(entry.getKey(), at + ".attributes", errors);
            attribute(entry.getValue(), at + ".attributes[" + entry.getKey() + "]", errors);
        }
        for (var entry : capacity.properties()) DeviceClaims.qualified(entry.getKey(), at + ".capacity", errors);
        var taints = items(device, "taints");
        if (DeviceClaims.fits(taints, 16, at + ".taints", errors))
            for (int i = 0; i < taints.size(); i++) taint(taints.get(i), at + ".taints[" + i + "]", errors);
        DeviceClaims.fits(items(device, "consumesCounters"), 2, at + ".consumesCounters", errors);
    }

    private static void attribute(JsonNode attribute, String at, Errors errors) {
        int count = 0;
        for (String field : VALUES) if (has(attribute, field)) count++;
        if (text(attribute, "string").length() > 64) errors.tooLong(at + ".string", 64);
        if (has(attribute, "version")) version(text(attribute, "version"), at + ".version", errors);
        if (count == 0) errors.invalid(at, "", "exactly one value must be specified");
        if (count > 1)
            errors.invalid(
                    at, InternalForm.of("resource.DeviceAttribute", attribute), "exactly one value must be specified");
    }

    private static void version(String version, String at, Errors errors) {
        if (!VERSION.matcher(version).matches())
            errors.invalid(at, version, "must be a string compatible with semver.org spec 2.0.0");
        if (version.length() > 64) errors.tooLong(at, 64);
    }

    static void taint(JsonNode taint, String at, Errors errors) {
        errors.invalid(at + ".key", text(taint, "key"), Names.qualified(text(taint, "key")));
        errors.invalid(at + ".value", text(taint, "value"), Names.labelValue(text(taint, "value")));
        if (text(taint, "effect").isEmpty()) errors.required(at + ".effect", "");
        DeviceClaims.effect(text(taint, "effect"), at + ".effect", errors);
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode spec = at(next, "spec");
        JsonNode before = at(old, "spec");
        source(spec, errors);
        fixed(at(spec, "pool"), at(before, "pool"), "name", "spec.pool", errors);
        fixed(spec, before, "driver", "spec", errors);
        fixed(spec, before, "nodeName", "spec", errors);
        content(spec, errors);
        return errors.list();
    }

    private static void fixed(JsonNode next, JsonNode old, String field, String path, Errors errors) {
        if (!at(next, field).equals(at(old, field)))
            errors.invalid(path + "." + field, at(next, field), Metadata.IMMUTABLE);
    }
}
