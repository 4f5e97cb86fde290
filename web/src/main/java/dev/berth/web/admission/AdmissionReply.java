package dev.berth.web.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A webhook's answer.
 *
 * @param status what the user is told; on a denial always, on an allowance where a contract asks for it
 * @param patch operations on the object; empty for none
 * @param warnings shown by kubectl, one line each
 */
public record AdmissionReply(boolean allowed, Optional<Status> status, ArrayNode patch, List<String> warnings) {

    /** A code as in HTTP and a sentence. */
    public record Status(int code, String message) {}

    public AdmissionReply {
        warnings = List.copyOf(warnings);
        if (!allowed && status.isEmpty()) {
            throw new IllegalArgumentException("a denial needs a reason");
        }
        if (!allowed && !patch.isEmpty()) {
            throw new IllegalArgumentException("a denial cannot change the object");
        }
    }

    /** Allowed as it is. */
    public static AdmissionReply allow() {
        return new AdmissionReply(true, Optional.empty(), none(), List.of());
    }

    /** Allowed as it is, with a word to say about it. */
    public static AdmissionReply allow(String message) {
        return new AdmissionReply(true, Optional.of(new Status(200, message)), none(), List.of());
    }

    /** Allowed and changed; an empty patch is the same as {@link #allow()}. */
    public static AdmissionReply patch(JsonPatch patch) {
        return new AdmissionReply(true, Optional.empty(), patch.operations(), List.of());
    }

    public static AdmissionReply deny(int code, String message) {
        return new AdmissionReply(false, Optional.of(new Status(code, message)), none(), List.of());
    }

    public AdmissionReply withWarnings(List<String> more) {
        return new AdmissionReply(
                allowed,
                status,
                patch,
                Stream.concat(warnings.stream(), more.stream()).toList());
    }

    private static ArrayNode none() {
        return JsonNodeFactory.instance.arrayNode();
    }
}
