package dev.berth.extender.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;

/** The shapes in which versions of Volcano want the same answer. */
public enum VolcanoReply {
    /** Up to 1.7: a message, empty for yes. */
    V1_7("1.7", (code, reason) -> object().put("errorMessage", code == 0 ? "" : reason)),
    /** 1.8 and 1.9: a list of codes with reasons. */
    V1_8("1.8", (code, reason) -> {
        var reply = object();
        reply.putArray("status").addObject().put("Code", code).put("Reason", code == 0 ? "success" : reason);
        return reply;
    }),
    /** 1.10 and later: a message, empty for yes, and a code. */
    V1_10(
            "1.10",
            (code, reason) -> object().put("status", code == 0 ? "" : reason).put("code", code));

    private static final int ERROR = 1;
    private static final int UNSCHEDULABLE = 2;

    private final String version;
    private final BiFunction<Integer, String, ObjectNode> shape;

    VolcanoReply(String version, BiFunction<Integer, String, ObjectNode> shape) {
        this.version = version;
        this.shape = shape;
    }

    /** @throws IllegalArgumentException for a version that has no shape here, with those that have */
    public static VolcanoReply of(String version) {
        for (var reply : values()) {
            if (reply.version.equals(version)) {
                return reply;
            }
        }
        throw new IllegalArgumentException("Volcano's replies come in the shapes of 1.7 (and before), 1.8 (and 1.9)"
                + " and 1.10 (and later), not of '%s'".formatted(version));
    }

    public byte[] fit() {
        return bytes(0, "");
    }

    public byte[] unfit(String reason) {
        return bytes(UNSCHEDULABLE, reason);
    }

    public byte[] error(String reason) {
        return bytes(ERROR, reason);
    }

    private byte[] bytes(int code, String reason) {
        return shape.apply(code, reason).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
