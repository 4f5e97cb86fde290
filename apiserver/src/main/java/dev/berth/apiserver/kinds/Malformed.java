package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The 400 of a body that is no object at all. */
final class Malformed {
    private static final String STRUCT =
            "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }";

    private Malformed() {}

    static ApiException empty(String kind) {
        return unrecognized(
                kind, "couldn't get version/kind; json parse error: unexpected end of JSON input", "<empty>");
    }

    static ApiException trailing(String kind, byte[] body, String rest) {
        char first = rest.isEmpty() ? ' ' : rest.charAt(0);
        return parseError(kind, body, "invalid character '%s' after top-level value".formatted(first));
    }

    static ApiException notAnObject(String kind, byte[] body, JsonNode tree) {
        String found = tree.isArray() ? "array" : tree.isTextual() ? "string" : tree.isBoolean() ? "bool" : "number";
        return parseError(kind, body, "json: cannot unmarshal %s into Go value of type %s".formatted(found, STRUCT));
    }

    static ApiException syntax(String kind, byte[] body, JacksonException cause, boolean yaml) {
        if (yaml) {
            int line = cause.getLocation() == null ? 1 : cause.getLocation().getLineNr();
            return unrecognized(kind, "yaml: line %d: %s".formatted(line, firstLine(cause)), excerpt(body));
        }
        if (cause instanceof JsonEOFException) return parseError(kind, body, "unexpected end of JSON input");
        long at = cause.getLocation() == null ? -1 : cause.getLocation().getByteOffset() - 1;
        String literal = brokenLiteral(body, (int) at);
        if (!literal.isEmpty()) return parseError(kind, body, literal);
        if (at < 0 || at >= body.length) return parseError(kind, body, firstLine(cause));
        return parseError(
                kind, body, "invalid character '%s' looking for beginning of value".formatted((char) body[(int) at]));
    }

    /** A word that starts like null, true or false: Go names the letter where it goes another way. */
    private static String brokenLiteral(byte[] body, int at) {
        int start = Math.min(Math.max(at, 0), body.length - 1);
        if (!Character.isLetter(body[start]) && start + 1 < body.length) start++;
        while (start > 0 && Character.isLetter(body[start - 1])) start--;
        for (String literal : new String[] {"null", "true", "false"}) {
            if (body[start] != literal.charAt(0)) continue;
            for (int i = 1; i < literal.length() && start + i < body.length; i++) {
                if (body[start + i] == literal.charAt(i)) continue;
                return "invalid character '%s' in literal %s (expecting '%s')"
                        .formatted((char) body[start + i], literal, literal.charAt(i));
            }
        }
        return "";
    }

    static ApiException noKind(String kind, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        return unrecognized(kind, "Object 'Kind' is missing in '%s'".formatted(text), excerpt(body));
    }

    private static String firstLine(JacksonException cause) {
        return cause.getOriginalMessage().lines().findFirst().orElse("");
    }

    private static ApiException parseError(String kind, byte[] body, String why) {
        return unrecognized(kind, "couldn't get version/kind; json parse error: " + why, excerpt(body));
    }

    private static ApiException unrecognized(String kind, String why, String excerpt) {
        return ApiException.badRequest(
                "the object provided is unrecognized (must be of type %s): %s (%s)".formatted(kind, why, excerpt));
    }

    /** Thirty bytes of what looks like JSON as text, of anything else in hexadecimal. */
    private static String excerpt(byte[] body) {
        int length = Math.min(body.length, 30);
        boolean text = body.length > 0 && body[0] == '{';
        String shown = text
                ? new String(body, 0, length, StandardCharsets.UTF_8)
                : HexFormat.of().formatHex(body, 0, length);
        return body.length > 30 ? shown + " ..." : shown;
    }
}
