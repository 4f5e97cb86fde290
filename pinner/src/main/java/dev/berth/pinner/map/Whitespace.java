package dev.berth.pinner.map;

/** Space of any kind, no-break spaces and the old control characters included. */
final class Whitespace {
    private static final int NEXT_LINE = 0x85;

    private Whitespace() {}

    static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && is(text.charAt(start))) {
            start++;
        }
        while (end > start && is(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean is(char character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character) || character == NEXT_LINE;
    }
}
