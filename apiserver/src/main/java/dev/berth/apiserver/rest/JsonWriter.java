package dev.berth.apiserver.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes trees as JSON: as Jackson does, but what lies beyond the basic plane without escapes, as Go does. On the path
 * of every write, where most of what is written are short plain texts: these are copied whole and looked at eight bytes
 * at a time.
 */
final class JsonWriter {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private byte[] bytes;
    private int size;

    JsonWriter(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    void write(JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> object((ObjectNode) node);
            case ARRAY -> array(node);
            case STRING -> text(node.textValue());
            case BOOLEAN -> raw(node.booleanValue() ? "true" : "false");
            case NUMBER -> {
                if (node.isInt() || node.isLong()) number(node.longValue());
                else other(node);
            }
            case NULL, MISSING -> raw("null");
            case BINARY, POJO -> other(node);
        }
    }

    private void object(ObjectNode object) {
        raw('{');
        boolean first = true;
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!first) raw(',');
            first = false;
            field(field.getKey(), field.getValue());
        }
        raw('}');
    }

    private void array(JsonNode array) {
        raw('[');
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) raw(',');
            write(array.get(i));
        }
        raw(']');
    }

    void field(String name, JsonNode value) {
        text(name);
        raw(':');
        write(value);
    }

    void raw(char c) {
        reserve(1);
        bytes[size++] = (byte) c;
    }

    /** What needs no quotes and has none. */
    void raw(String ascii) {
        reserve(ascii.length());
        copy(ascii, size);
        size += ascii.length();
    }

    void text(String text) {
        int length = text.length();
        reserve(length + 2);
        int start = size;
        bytes[start] = '"';
        copy(text, start + 1);
        // What is beyond Latin-1 lost its upper half in the copy, so it is looked at as it is.
        if (isPlain(bytes, start + 1, start + 1 + length) && isAscii(text)) {
            bytes[start + 1 + length] = '"';
            size = start + length + 2;
            return;
        }
        byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(whole(text));
        raw('"');
        reserve(quoted.length + 1);
        System.arraycopy(quoted, 0, bytes, size, quoted.length);
        size += quoted.length;
        raw('"');
    }

    /** Halves of characters, which UTF-8 cannot say, are replaced as Go replaces them. */
    private static String whole(String text) {
        StringBuilder repaired = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) continue;
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
                continue;
            }
            if (repaired == null) repaired = new StringBuilder(text);
            repaired.setCharAt(i, '\ufffd');
        }
        return repaired == null ? text : repaired.toString();
    }

    @SuppressWarnings("deprecation") // the one copy out of a string that makes no array of its own
    private void copy(String text, int at) {
        text.getBytes(0, text.length(), bytes, at);
    }

    private static boolean isAscii(String text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) all |= text.charAt(i);
        return all < 0x80;
    }

    /** Neither control characters nor quotes, backslashes or anything above ASCII. */
    private static boolean isPlain(byte[] bytes, int from, int to) {
        int at = from;
        for (; at + 8 <= to; at += 8) {
            if (special((long) WORDS.get(bytes, at)) != 0) return false;
        }
        for (; at < to; at++) {
            byte b = bytes[at];
            if (b < ' ' || b == '"' || b == '\\') return false;
        }
        return true;
    }

    /** Not zero when a byte of the word has its high bit, is below the space, a quote or a backslash. */
    private static long special(long word) {
        long quotes = word ^ (ONES * '"');
        long slashes = word ^ (ONES * '\\');
        return (word | (word - ONES * ' ') | (quotes - ONES) | (slashes - ONES)) & HIGHS;
    }

    private void number(long value) {
        raw(Long.toString(value));
    }

    private void other(JsonNode node) {
        try {
            byte[] written = Json.MAPPER.writeValueAsBytes(node);
            reserve(written.length);
            System.arraycopy(written, 0, bytes, size, written.length);
            size += written.length;
        } catch (JsonProcessingException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void reserve(int more) {
        if (size + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
}
