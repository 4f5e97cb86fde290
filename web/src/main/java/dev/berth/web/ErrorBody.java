package dev.berth.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;

/** The JSON that a refusal is told in. A door whose contract names another shape gives its listener its own. */
@FunctionalInterface
public interface ErrorBody {
    /** {@code {"code":404,"message":"…"}} */
    ErrorBody MESSAGE = (code, message) -> JsonNodeFactory.instance
            .objectNode()
            .put("code", code)
            .put("message", message)
            .toString()
            .getBytes(StandardCharsets.UTF_8);

    byte[] of(int code, String message);
}
