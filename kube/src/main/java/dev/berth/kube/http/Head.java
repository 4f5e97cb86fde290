package dev.berth.kube.http;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an answer begins: what happened, and how its body ends. */
final class Head {
    private static final int LONGEST_LINE = 64 * 1024;
    private static final int MOST_LINES = 256;
    private static final int CODE_AT = "HTTP/1.1 ".length();
    private static final int CODE_LENGTH = 3;

    private static final int INFORMATION_BELOW = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final int code;
    private boolean lasting;
    private boolean chunked;
    private long length = Body.UNTIL_THE_END;
    private @Nullable String contentType;
    private @Nullable String date;
    private @Nullable String retryAfter;

    private Head(String statusLine) throws ProtocolException {
        if (!statusLine.startsWith("HTTP/1.") || statusLine.length() < CODE_AT + CODE_LENGTH) {
            throw new ProtocolException("an answer begins with '%s', which is not HTTP".formatted(start(statusLine)));
        }
        lasting = !statusLine.startsWith("HTTP/1.0");
        code = number(statusLine.substring(CODE_AT, CODE_AT + CODE_LENGTH), 10, "status");
    }

    /** The next head that is an answer; what a server says before it has one is passed over. */
    static Head read(Connection connection) throws IOException {
        Head head;
        do {
            head = new Head(connection.line(LONGEST_LINE));
            int lines = 0;
            for (var line = connection.line(LONGEST_LINE); !line.isEmpty(); line = connection.line(LONGEST_LINE)) {
                if (++lines > MOST_LINES) {
                    throw new ProtocolException("the head of an answer has more than %d lines".formatted(MOST_LINES));
                }
                head.take(line);
            }
        } while (head.code < INFORMATION_BELOW);
        return head;
    }

    private void take(String line) throws ProtocolException {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new ProtocolException("a line of an answer's head has no name: '%s'".formatted(start(line)));
        }
        // Of some ten headers these are looked at; their lengths keep most of the others from being compared.
        switch (colon) {
            case 4 -> date = named(line, "Date", date);
            case 10 -> {
                var connection = named(line, "Connection", null);
                lasting &= connection == null || !connection.equalsIgnoreCase("close");
            }
            case 11 -> retryAfter = named(line, "Retry-After", retryAfter);
            case 12 -> contentType = named(line, "Content-Type", contentType);
            case 14 -> {
                var announced = named(line, "Content-Length", null);
                if (announced != null) {
                    length = number(announced, 10, "Content-Length");
                }
            }
            case 17 -> {
                var encoding = named(line, "Transfer-Encoding", null);
                chunked |= encoding != null && encoding.equalsIgnoreCase("chunked");
            }
            default -> {}
        }
    }

    private static @Nullable String named(String line, String name, @Nullable String otherwise) {
        return line.regionMatches(true, 0, name, 0, name.length())
                ? line.substring(name.length() + 1).strip()
                : otherwise;
    }

    static int number(String digits, int base, String what) throws ProtocolException {
        try {
            int number = Integer.parseInt(digits, base);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new ProtocolException("the %s of an answer is '%s'".formatted(what, start(digits)));
    }

    private static String start(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    int code() {
        return code;
    }

    Body body(Connection connection) {
        return bodiless() ? new Body(connection, false, 0) : new Body(connection, chunked, chunked ? 0 : length);
    }

    private boolean bodiless() {
        return code == NO_CONTENT || code == NOT_MODIFIED;
    }

    /** Whether another request may follow once the body has ended. */
    boolean lasting() {
        return lasting && (chunked || length != Body.UNTIL_THE_END || bodiless());
    }

    Optional<String> contentType() {
        return Optional.ofNullable(contentType);
    }

    Optional<String> date() {
        return Optional.ofNullable(date);
    }

    Optional<String> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
