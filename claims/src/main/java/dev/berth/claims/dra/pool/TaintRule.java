package dev.berth.claims.dra.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.Taint;
import java.util.List;
import java.util.Optional;

/**
 * A taint that an administrator puts on devices from outside, without touching their slices.
 *
 * @param selects whether the rule has a selector at all
 */
public record TaintRule(
        boolean selects, Optional<String> driver, Optional<String> pool, Optional<String> device, Taint taint) {
    public static final String KIND = "DeviceTaintRule";

    /** What a taint may do. */
    public static final List<String> EFFECTS = List.of("None", "NoSchedule", "NoExecute");

    /** From an object of any version that has these fields. */
    public static TaintRule read(JsonNode object) {
        var selector = object.path("spec").path("deviceSelector");
        var taint = object.path("spec").path("taint");
        return new TaintRule(
                selector.isObject(),
                text(selector, "driver"),
                text(selector, "pool"),
                text(selector, "device"),
                new Taint(
                        taint.path("key").asText(""),
                        taint.path("value").asText(""),
                        SliceDevice.effect(taint.path("effect").asText(""))));
    }

    private static Optional<String> text(JsonNode object, String field) {
        return Optional.of(object.path(field).asText("")).filter(text -> !text.isEmpty());
    }

    /**
     * A rule whose selector names nothing concerns every device, and one without a selector none, as the API has it.
     */
    boolean concerns(PoolId of, String name) {
        return concerns(of) && device.map(name::equals).orElse(true);
    }

    /** Perhaps some device of this pool. */
    public boolean concerns(PoolId of) {
        return selects
                && driver.map(of.driver()::equals).orElse(true)
                && pool.map(of.pool()::equals).orElse(true);
    }
}
