package dev.berth.advisor.wire;

/** Names of jobs and GPUs: users choose them, and a database must keep them and find them again. */
public final class Names {
    static final int MOST_CHARACTERS = 256;

    private Names() {}

    /** Whether the agent would learn something under this name. */
    public static boolean isKept(String name) {
        return !isTooLong(name) && isText(name);
    }

    static boolean isTooLong(String name) {
        return name.length() > MOST_CHARACTERS;
    }

    /** Half characters cannot be written as UTF-8, and PostgreSQL keeps no text with a zero in it. */
    static boolean isText(String name) {
        return name.codePoints()
                .noneMatch(
                        point -> point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
    }
}
