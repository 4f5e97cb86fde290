package dev.berth.apiserver.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes trees as JSON: as Jackson does, but what lies beyond the basic plane without escapes, as Go does. On the path
 * of every write, where most of what is written are short plain texts.
 */
final class JsonWriter {
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
        int length = ascii.length();
        reserve(length);
        for (int i = 0; i < length; i++) bytes[size + i] = (byte) ascii.charAt(i);
        size += length;
    }

    private void raw(byte[] written) {
        reserve(written.length);
        System.arraycopy(written, 0, bytes, size, written.length);
        size += written.length;
    }

    void text(String text) {
        int length = text.length();
        reserve(2 * length + 2);
        byte[] to = bytes;
        int at = size;
        to[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to[at++] = '\\';
            } else if (c < ' ' || c > '~') {
                unusual(text);
                return;
            }
            to[at++] = (byte) c;
        }
        to[at++] = '"';
        size = at;
    }

    private void unusual(String text) {
        byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(whole(text));
        raw('"');
        raw(quoted);
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

    private void number(long value) {
        raw(Long.toString(value));
    }

    private void other(JsonNode node) {
        try {
            raw(Json.MAPPER.writeValueAsBytes(node));
        } catch (JsonProcessingException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void reserve(int more) {
        if (size + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
}
