package dev.berth.extender.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that become JSON, for one thread. */
final class JsonText {
    private static final JsonStringEncoder QUOTES = JsonStringEncoder.getInstance();

    private byte[] bytes;
    private int length;

    /** @param size how long it will be, more or less */
    JsonText(int size) {
        this.bytes = new byte[size];
    }

    /** As it is: what has no quotation marks, or has them already. */
    JsonText put(String plain) {
        return put(plain.getBytes(StandardCharsets.UTF_8));
    }

    JsonText put(byte[] plain) {
        return put(plain, 0, plain.length);
    }

    JsonText put(byte[] plain, int from, int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
        }
        System.arraycopy(plain, from, bytes, length, count);
        length += count;
        return this;
    }

    JsonText put(char ascii) {
        if (bytes.length == length) {
            bytes = Arrays.copyOf(bytes, 2 * length + 1);
        }
        bytes[length++] = (byte) ascii;
        return this;
    }

    JsonText quoted(String text) {
        return put('"').put(QUOTES.quoteAsUTF8(text)).put('"');
    }

    byte[] toByteArray() {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }
}
