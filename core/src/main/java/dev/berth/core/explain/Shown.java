package dev.berth.core.explain;

/** What somebody wrote, as it can be shown in a sentence: short, and without control characters. */
public final class Shown {
    private static final int LONGEST = 60;
    /** Where Unicode has pictures of the control characters: ␍ for a carriage return. */
    private static final int PICTURES = 0x2400;

    private static final int REPLACEMENT = 0xfffd;

    private Shown() {}

    /** An API server drops a warning with a control character in it, and nobody reads a line of many kilobytes. */
    public static String of(String text) {
        var shown = new StringBuilder();
        text.codePoints().limit(LONGEST).map(Shown::visible).forEach(shown::appendCodePoint);
        return text.codePointCount(0, text.length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }

    private static int visible(int character) {
        if (!Character.isISOControl(character)) {
            return Character.getType(character) == Character.SURROGATE ? REPLACEMENT : character;
        }
        return character < ' ' ? PICTURES + character : REPLACEMENT;
    }
}
