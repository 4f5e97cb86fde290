package dev.berth.extender.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The shapes in which versions of Volcano want the same answer. */
public enum VolcanoReply {
    /** Up to 1.7: a message, empty for yes. */
    V1_7(7),
    /** 1.8 and 1.9: a list of codes with reasons. */
    V1_8(9),
    /** 1.10 and later: a message, empty for yes, and a code. */
    V1_10(Integer.MAX_VALUE);

    private static final Pattern VERSION = Pattern.compile("v?1\\.(\\d{1,4})(?:\\.\\d+)?");

    private static final int ERROR = 1;
    private static final int UNSCHEDULABLE = 2;

    /** The last 1.x that wants it so. */
    private final int last;

    VolcanoReply(int last) {
        this.last = last;
    }

    /** @throws IllegalArgumentException for a version that has no shape here, with those that have */
    public static VolcanoReply of(String version) {
        var parts = VERSION.matcher(version);
        if (parts.matches()) {
            int minor = Integer.parseInt(parts.group(1));
            for (var reply : values()) {
                if (minor <= reply.last) {
                    return reply;
                }
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
        var reply = JsonNodeFactory.instance.objectNode();
        switch (this) {
            case V1_7 -> reply.put("errorMessage", reason);
            case V1_8 ->
                reply.putArray("status").addObject().put("Code", code).put("Reason", code == 0 ? "success" : reason);
            case V1_10 -> reply.put("status", reason).put("code", code);
        }
        return reply.toString().getBytes(StandardCharsets.UTF_8);
    }
}
