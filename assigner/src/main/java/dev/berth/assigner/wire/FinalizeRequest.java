package dev.berth.assigner.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;

/** A caller's word that a reservation has become a pod. */
public record FinalizeRequest(String namespace, String name, String uid, String reservation, String uuid) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> FIELDS = List.of("namespace", "name", "uid", "reservation-id", "gpu-uuid");

    /** A body that cannot be used; the message is for the caller. */
    public static final class UnusableException extends Exception {
        UnusableException(String message) {
            super(message);
        }
    }

    public static FinalizeRequest decode(byte[] body) throws UnusableException {
        JsonNode tree;
        try {
            tree = JSON.readTree(body);
        } catch (JsonProcessingException notJson) {
            throw new UnusableException("the body is not JSON: " + notJson.getOriginalMessage());
        } catch (IOException notJson) {
            throw new UnusableException("the body is not JSON");
        }
        var missing =
                FIELDS.stream().filter(field -> text(tree, field).isBlank()).toList();
        if (!missing.isEmpty()) {
            throw new UnusableException("missing required fields: " + String.join(", ", missing));
        }
        return new FinalizeRequest(
                text(tree, "namespace"),
                text(tree, "name"),
                text(tree, "uid"),
                text(tree, "reservation-id"),
                text(tree, "gpu-uuid"));
    }

    private static String text(JsonNode tree, String field) {
        return tree.path(field).isTextual() ? tree.path(field).textValue() : "";
    }
}
