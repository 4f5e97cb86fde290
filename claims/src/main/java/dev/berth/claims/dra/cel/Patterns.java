package dev.berth.claims.dra.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.berth.claims.cel.Remembered;
import java.util.ArrayList;
import java.util.List;

/**
 * Regular expressions that take time in proportion to the text, whatever they are. What repeats is written out when a
 * pattern is compiled, so that a few letters can ask for gigabytes: how large it would become is worked out before.
 */
final class Patterns {
    private static final int MOST = 1_000;
    private static final int LONGEST = 10_240;
    private static final Remembered<Pattern> COMPILED = new Remembered<>(Patterns::compile);

    private Patterns() {}

    static boolean matches(String text, String pattern) {
        return COMPILED.of(pattern).matcher(text).find();
    }

    static String find(String text, String pattern) {
        Matcher matcher = COMPILED.of(pattern).matcher(text);
        return matcher.find() ? matcher.group() : "";
    }

    static List<String> findAll(String text, String pattern) {
        var found = new ArrayList<String>();
        Matcher matcher = COMPILED.of(pattern).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    /** Its length, as in Kubernetes, unless it comes to much more. */
    static long cost(String pattern) {
        long size = PatternSize.of(pattern);
        return size > 4L * pattern.length() + 16 ? size : pattern.length();
    }

    private static Pattern compile(String pattern) {
        if (pattern.length() > LONGEST || PatternSize.of(pattern) > MOST) {
            throw new IllegalArgumentException(
                    "a pattern of %d letters comes to more than %d steps".formatted(pattern.length(), MOST));
        }
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        }
    }
}
