package dev.berth.web.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * What the API server asks a webhook.
 *
 * @param apiVersion of the review; the reply goes out in the same
 * @param subResource empty for the object itself
 * @param namespace empty for a cluster-scoped object
 * @param name empty when the API server will make one up from generateName
 * @param object absent on DELETE
 * @param oldObject present on UPDATE and DELETE
 */
public record AdmissionRequest(
        String apiVersion,
        String uid,
        Kind kind,
        Resource resource,
        String subResource,
        String namespace,
        String name,
        Operation operation,
        boolean dryRun,
        Optional<ObjectNode> object,
        Optional<ObjectNode> oldObject,
        User user) {

    /** What is being done to the object. */
    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    /** A kind by its group (empty for the core one), version and name. */
    public record Kind(String group, String version, String kind) {}

    /** A resource by its group (empty for the core one), version and plural name. */
    public record Resource(String group, String version, String resource) {}

    /** Who asks. */
    public record User(String username, String uid, List<String> groups) {
        public User {
            groups = List.copyOf(groups);
        }
    }
}
