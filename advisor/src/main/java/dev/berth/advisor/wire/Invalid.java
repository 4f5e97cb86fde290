package dev.berth.advisor.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * One thing that is wrong with a body, as pydantic puts it.
 *
 * @param type pydantic's word for it, such as {@code missing}
 * @param location the way to it, from {@code body} on: names, and places in lists or in the text
 * @param message for people
 * @param input what was found there
 */
public record Invalid(String type, List<Object> location, String message, JsonNode input) {
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
        return object;
    }
}
