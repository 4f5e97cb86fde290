package dev.berth.claims.file;

import dev.berth.claims.dra.cel.InvalidSelectorException;
import dev.berth.claims.dra.cel.Selector;
import dev.berth.claims.dra.pool.TaintRule;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an API server would refuse of {@code resource.k8s.io} and the engine relies on: names that are there, each once,
 * amounts that are amounts, expressions that compile. Told with the field and its line; the rest is the model's.
 */
final class ResourceChecks {
    private ResourceChecks() {}

    static void check(Manifest manifest) {
        var object = manifest.fields();
        object.require("metadata").fields().require("name").text();
        var spec = object.require("spec");
        switch (manifest.kind()) {
            case "DeviceClass" -> selectors(spec.fields().items("selectors"));
            case "ResourceSlice" -> slice(spec.fields());
            case "ResourceClaim" -> claim(spec);
            case "ResourceClaimTemplate" -> claim(spec.fields().require("spec"));
            case TaintRule.KIND -> taintRule(spec.fields());
            default -> {} // whoever reads it complains about the kind
        }
    }

    private static void claim(Field spec) {
        spec.fields().find("devices").map(Field::fields).ifPresent(devices -> {
            Set<String> names = new HashSet<>();
            for (var request : devices.items("requests")) {
                request(request, names);
            }
            devices.items("constraints").forEach(Field::fields);
            devices.items("config").forEach(Field::fields);
        });
    }

    private static void request(Field request, Set<String> names) {
        var fields = request.fields();
        unique(fields.require("name"), names);
        var exactly = fields.find("exactly");
        var ways = fields.items("firstAvailable");
        if (exactly.isPresent() && !ways.isEmpty()) {
            throw request.problem("has exactly and firstAvailable: give only one of them");
        }
        exactly.ifPresent(way -> way(way.fields()));
        Set<String> subs = new HashSet<>();
        for (var way : ways) {
            unique(way.fields().require("name"), subs);
            way(way.fields());
        }
    }

    private static void unique(Field name, Set<String> names) {
        if (!names.add(name.text())) {
            throw name.problem("is a second one called " + name.text());
        }
    }

    private static void way(Fields way) {
        selectors(way.items("selectors"));
        way.items("tolerations").forEach(Field::fields);
        way.find("capacity")
                .flatMap(capacity -> capacity.fields().find("requests"))
                .ifPresent(amounts -> amounts.entries().values().forEach(Field::quantity));
    }

    private static void selectors(List<Field> selectors) {
        for (var selector : selectors) {
            selector.fields()
                    .find("cel")
                    .map(cel -> cel.fields().require("expression"))
                    .ifPresent(expression -> {
                        try {
                            Selector.of(expression.text());
                        } catch (InvalidSelectorException invalid) {
                            throw expression.problem(String.valueOf(invalid.getMessage()));
                        }
                    });
        }
    }

    private static void slice(Fields spec) {
        withoutSlash(spec.require("driver"));
        spec.require("pool").fields().require("name").text();
        spec.items("devices").forEach(device -> device(device.fields()));
        for (var set : spec.items("sharedCounters")) {
            set.fields().require("name").text();
            counters(set.fields());
        }
    }

    private static void device(Fields device) {
        withoutSlash(device.require("name"));
        device.find("attributes").ifPresent(all -> all.entries().values().forEach(Field::fields));
        device.find("capacity").ifPresent(all -> all.entries().values().forEach(each -> capacity(each.fields())));
        for (var consumed : device.items("consumesCounters")) {
            consumed.fields().require("counterSet").text();
            counters(consumed.fields());
        }
        device.items("taints").forEach(taint -> taint.fields().require("key").text());
    }

    /** Of driver, pool and name of a device the pool's alone may have slashes: together they are its id. */
    private static void withoutSlash(Field name) {
        if (name.text().contains("/")) {
            throw name.problem("must not have a slash in it");
        }
    }

    private static void capacity(Fields capacity) {
        capacity.require("value").quantity();
        capacity.find("requestPolicy").map(Field::fields).ifPresent(policy -> {
            policy.find("default").ifPresent(Field::quantity);
            policy.items("validValues").forEach(Field::quantity);
            policy.find("validRange").map(Field::fields).ifPresent(range -> {
                for (var bound : List.of("min", "max", "step")) {
                    range.find(bound).ifPresent(Field::quantity);
                }
            });
        });
    }

    private static void counters(Fields of) {
        of.find("counters")
                .ifPresent(all -> all.entries()
                        .values()
                        .forEach(counter -> counter.fields().require("value").quantity()));
    }

    /** Read by hand, not into a model: what is misspelt in a selector would make the rule one for every device. */
    private static void taintRule(Fields spec) {
        spec.find("deviceSelector").map(Field::fields).ifPresent(selector -> {
            for (var field : List.of("driver", "pool", "device")) {
                selector.find(field).ifPresent(Field::text);
            }
            selector.done();
        });
        var taint = spec.require("taint").fields().skip("value", "timeAdded");
        taint.require("key").text();
        var effect = taint.require("effect");
        if (!TaintRule.EFFECTS.contains(effect.text())) {
            throw effect.problem(
                    "must be one of %s, not '%s'".formatted(String.join(", ", TaintRule.EFFECTS), effect.text()));
        }
        taint.done();
        spec.done();
    }
}
