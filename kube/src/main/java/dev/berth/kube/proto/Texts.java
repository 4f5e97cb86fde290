package dev.berth.kube.proto;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Makes texts of bytes. Short ones come again and again (keys of labels, phases, namespaces) and are made once. */
final class Texts {
    private static final int SHORT = 48;
    /** A power of two; what comes later takes the place of what was there. */
    private static final int PLACES = 1024;

    private final @Nullable String[] known = new @Nullable String[PLACES];

    String text(byte[] bytes, int start, int length) {
        if (length == 0) {
            return "";
        }
        if (length > SHORT) {
            return new String(bytes, start, length, StandardCharsets.UTF_8);
        }
        int hash = length;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int place = (hash ^ hash >>> 15) & PLACES - 1;
        var before = known[place];
        if (before != null && same(before, bytes, start, length)) {
            return before;
        }
        var text = new String(bytes, start, length, StandardCharsets.UTF_8);
        known[place] = text;
        return text;
    }

    /** Of what is not ASCII this says no. */
    private static boolean same(String text, byte[] bytes, int start, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != bytes[start + i]) {
                return false;
            }
        }
        return true;
    }
}
