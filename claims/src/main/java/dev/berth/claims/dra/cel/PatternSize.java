package dev.berth.claims.dra.cel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many steps a regular expression (RE2) comes to when all that repeats in it is written out. */
final class PatternSize {
    private static final Pattern TIMES = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?\\}");
    private static final Pattern NAMED_CLASS = Pattern.compile("\\[:\\^?[a-z]{1,10}:\\]");
    private static final long MOST = Long.MAX_VALUE / 2_000_000_000L;

    private final String pattern;
    private final Deque<Long> outer = new ArrayDeque<>();
    private int position;
    private long size;
    private long last;

    private PatternSize(String pattern) {
        this.pattern = pattern;
    }

    static long of(String pattern) {
        var walk = new PatternSize(pattern);
        while (walk.position < pattern.length()) {
            walk.step();
        }
        while (!walk.outer.isEmpty()) {
            walk.close();
        }
        return walk.size + walk.last;
    }

    private void step() {
        switch (pattern.charAt(position)) {
            case '(' -> {
                outer.push(size + last);
                size = 0;
                last = 0;
                position++;
            }
            case ')' -> {
                close();
                position++;
            }
            case '[' -> {
                one();
                position = afterClass();
            }
            case '\\' -> escaped();
            case '{' -> times();
            default -> {
                one();
                position++;
            }
        }
    }

    private void one() {
        size += last;
        last = 1;
    }

    private void close() {
        last = Math.min(MOST, size + last + 2);
        size = outer.isEmpty() ? 0 : outer.pop();
    }

    private void times() {
        Matcher times = TIMES.matcher(pattern).region(position, pattern.length());
        if (!times.lookingAt()) {
            one();
            position++;
            return;
        }
        String most = times.group(2);
        long count = Long.parseLong(most == null || most.isEmpty() ? times.group(1) : most);
        last = Math.min(MOST, last * Math.max(1, count));
        position = times.end();
    }

    private void escaped() {
        char what = position + 1 < pattern.length() ? pattern.charAt(position + 1) : ' ';
        if (what == 'Q') {
            int end = pattern.indexOf("\\E", position);
            int until = end < 0 ? pattern.length() : end;
            size += last + Math.max(0, until - position - 3);
            last = 1;
            position = end < 0 ? until : end + 2;
            return;
        }
        one();
        position += 2;
        boolean braced = (what == 'p' || what == 'P' || what == 'x') && pattern.startsWith("{", position);
        int end = braced ? pattern.indexOf('}', position) : -1;
        position = end < 0 ? position : end + 1;
    }

    private int afterClass() {
        int at = position + 1;
        at += pattern.startsWith("^", at) ? 1 : 0;
        at += pattern.startsWith("]", at) ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            Matcher named = NAMED_CLASS.matcher(pattern).region(at, pattern.length());
            if (named.lookingAt()) {
                at = named.end();
            } else {
                at += pattern.charAt(at) == '\\' ? 2 : 1;
            }
        }
        return Math.min(pattern.length(), at + 1);
    }
}
