package dev.berth.claims.file;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Manifest;
import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;

/** A node of a file. */
record FileNode(NodeRoom room) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static FileNode read(Manifest manifest) {
        manifest.fields().require("metadata").fields().require("name").text();
        var body = manifest.body().deepCopy();
        manifest.fields()
                .find("status")
                .filter(Field::isObject)
                .map(Field::fields)
                .ifPresent(status -> {
                    for (var amounts : List.of("allocatable", "capacity")) {
                        status.find(amounts)
                                .ifPresent(field -> field.entries().values().forEach(Field::quantity));
                    }
                });
        if (body.path("status").path("allocatable").isEmpty()
                && body.path("status").path("capacity").isEmpty()) {
            sayNothing(body);
        }
        if (body.path("status").path("conditions").isEmpty()) {
            body.withObjectProperty("status")
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Ready")
                    .put("status", "True");
        }
        try {
            return new FileNode(NodeRoom.empty(MAPPER.convertValue(body, Node.class)));
        } catch (IllegalArgumentException malformed) {
            throw manifest.problem("is not a node that a server would take: "
                    + String.valueOf(malformed.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** A node written by hand rarely says how large it is, or how it is: then it is large enough, and ready. */
    private static void sayNothing(ObjectNode body) {
        if (!body.path("status").isObject()) {
            body.remove("status");
        }
        var allocatable = body.withObjectProperty("status").withObjectProperty("allocatable");
        allocatable
                .put("cpu", "1M")
                .put("memory", "1Ei")
                .put("ephemeral-storage", "1Ei")
                .put("pods", "1M");
    }
}
