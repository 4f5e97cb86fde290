package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.time.InstantSource;
import java.util.List;

/** What Kubernetes knows of a DeviceTaintRule. */
final class DeviceTaintRuleRules implements KindRules {
    private static final int MOST_CONDITIONS = 8;

    private final InstantSource clock;

    DeviceTaintRuleRules(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void applyDefaults(ObjectNode rule) {
        if (at(at(rule, "spec"), "taint") instanceof ObjectNode taint && !has(taint, "timeAdded")) {
            taint.put("timeAdded", Times.seconds(clock.instant()));
        }
    }

    /** The time is when the effect was added, unless the client says another. */
    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        JsonNode before = at(at(old, "spec"), "taint");
        if (at(at(next, "spec"), "taint") instanceof ObjectNode taint
                && !text(taint, "effect").equals(text(before, "effect"))
                && text(taint, "timeAdded").equals(text(before, "timeAdded"))) {
            taint.put("timeAdded", Times.seconds(clock.instant()));
        }
    }

    @Override
    public List<FieldError> validate(ObjectNode rule) {
        var errors = new Errors();
        JsonNode selector = at(at(rule, "spec"), "deviceSelector");
        String path = "spec.deviceSelector";
        if (has(selector, "driver")) DeviceClaims.driver(text(selector, "driver"), path + ".driver", errors);
        if (has(selector, "pool")) ResourceSliceRules.pool(text(selector, "pool"), path + ".pool", errors);
        if (has(selector, "device"))
            errors.invalid(path + ".device", text(selector, "device"), Names.label(text(selector, "device")));
        ResourceSliceRules.taint(at(at(rule, "spec"), "taint"), "spec.taint", errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return validate(next);
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        DeviceClaims.fits(items(at(next, "status"), "conditions"), MOST_CONDITIONS, "status.conditions", errors);
        return errors.list();
    }
}
