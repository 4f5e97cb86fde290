package dev.berth.e2e.story;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/** What a server answered, as it came. */
public record Answer(int code, String text, List<String> warnings) {

    /** The body as a tree; missing when it is not JSON. */
    public JsonNode body() {
        try {
            return Dialogue.JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    public String at(String pointer) {
        return body().at(pointer).asText();
    }

    public String resourceVersion() {
        return at("/metadata/resourceVersion");
    }

    public String uid() {
        return at("/metadata/uid");
    }

    /** The body with changes, to send it back. */
    public String edited(Consumer<ObjectNode> change) {
        var copy = (ObjectNode) body();
        change.accept(copy);
        return copy.toString();
    }
}
