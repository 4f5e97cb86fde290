package dev.berth.advisor.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * One thing that is wrong with a body, as pydantic puts it.
 *
 * @param type pydantic's word for it, such as {@code missing}
 * @param location the way to it, from {@code body} on: names, and places in lists or in the text
 * @param message for people
 * @param input what was found there
 * @param context more about it, by name; empty where the type says all
 */
public record Invalid(String type, List<Object> location, String message, JsonNode input, Map<String, String> context) {
    private static final String EXPLANATIONS = "https://errors.pydantic.dev/2.5/v/";
    /** What FastAPI says itself has no page of pydantic's. */
    static final String MALFORMED = "json_invalid";

    Invalid(String type, List<Object> location, String message, JsonNode input) {
        this(type, location, message, input, Map.of());
    }

    ObjectNode json() {
        var object = JsonNodeFactory.instance.objectNode().put("type", type);
        ArrayNode way = object.putArray("loc");
        for (Object step : location) {
            if (step instanceof Integer place) {
                way.add(place);
            } else {
                way.add(step.toString());
            }
        }
        object.put("msg", message).set("input", input);
        if (!context.isEmpty()) {
            var more = object.putObject("ctx");
            context.forEach(more::put);
        }
        return type.equals(MALFORMED) ? object : object.put("url", EXPLANATIONS + type);
    }
}
