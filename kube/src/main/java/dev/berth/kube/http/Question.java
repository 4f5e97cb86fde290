package dev.berth.kube.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A request as it goes over the wire. */
public final class Question {
    private static final byte[] NOTHING = {};

    private final String method;
    private final StringBuilder head;
    private byte[] body = NOTHING;

    private Question(String method, String target) {
        if (target.isEmpty() || target.chars().anyMatch(character -> character <= ' ' || character >= 0x7f)) {
            throw new IllegalArgumentException("'%s' is no path".formatted(target));
        }
        this.method = method;
        this.head =
                new StringBuilder(512).append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    }

    /** @param target a path, perhaps with a query, in the letters that a request line may have */
    public static Question of(String method, String target) {
        return new Question(method, target);
    }

    /** @param value a token, perhaps: it is not told when it cannot be sent */
    public Question header(String name, String value) {
        if (value.chars().anyMatch(character -> character < ' ' || character >= 0x7f)) {
            throw new IllegalArgumentException("the header %s has a letter that cannot be sent".formatted(name));
        }
        head.append(name).append(": ").append(value).append("\r\n");
        return this;
    }

    public Question body(String mediaType, byte[] bytes) {
        body = bytes;
        return bytes.length > 0 ? header("Content-Type", mediaType) : this;
    }

    /** Whether asking twice is asking once. */
    boolean harmless() {
        return method.equals("GET");
    }

    byte[] bytes(String host) {
        header("Host", host);
        if (body.length > 0 || !harmless()) {
            header("Content-Length", Integer.toString(body.length));
        }
        var lines = (head + "\r\n").getBytes(StandardCharsets.US_ASCII);
        var all = new ByteArrayOutputStream(lines.length + body.length);
        all.writeBytes(lines);
        all.writeBytes(body);
        return all.toByteArray();
    }
}
