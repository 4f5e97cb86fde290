package dev.berth.web.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * What the API server asks a webhook.
 *
 * @param apiVersion of the review; the reply goes out in the same
 * @param subResource empty for the object itself
 * @param namespace empty for a cluster-scoped object
 * @param name empty when the API server will make one up from generateName
 * @param object absent on DELETE
 */
public record AdmissionRequest(
        String apiVersion,
        String uid,
        Kind kind,
        String subResource,
        String namespace,
        String name,
        Operation operation,
        boolean dryRun,
        Optional<ObjectNode> object) {

    /** What is being done to the object. */
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    /** A kind by its group (empty for the core one), version and name. */
    public record Kind(String group, String version, String kind) {}
}
