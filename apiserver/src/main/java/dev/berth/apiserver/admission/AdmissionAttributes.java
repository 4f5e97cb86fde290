package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * What admission is told of a write beside the object itself.
 *
 * @param subresource empty for the object itself
 * @param namespace empty for cluster-scoped objects
 * @param name empty when the server is to generate it
 * @param old the stored object for updates and deletions
 * @param options CreateOptions, UpdateOptions or DeleteOptions as a webhook is shown them: a patch is shown as what it
 *     comes to
 */
public record AdmissionAttributes(
        Operation operation,
        ResourceType type,
        String subresource,
        String namespace,
        String name,
        @Nullable ObjectNode old,
        boolean dryRun,
        User user,
        ObjectNode options) {

    public AdmissionAttributes {
        if (options.path("kind").asText().equals("PatchOptions")) {
            options = options.deepCopy().put("kind", operation == Operation.CREATE ? "CreateOptions" : "UpdateOptions");
        }
    }

    public enum Operation {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT
    }

    boolean concerns(String group, String plural) {
        return type.plural().equals(plural) && type.group().equals(group);
    }

    /** The name that refusals give: its own, else the prefix of the one to be generated. */
    String nameIn(@Nullable ObjectNode object) {
        if (!name.isEmpty()) return name;
        if (object == null) return "Unknown";
        String own = object.path("metadata").path("name").asText();
        if (!own.isEmpty()) return own;
        String prefix = object.path("metadata").path("generateName").asText();
        return prefix.isEmpty() ? "Unknown" : prefix;
    }
}
