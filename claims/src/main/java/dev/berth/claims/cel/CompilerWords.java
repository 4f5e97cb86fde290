package dev.berth.claims.cel;

import java.util.stream.Collectors;

/** What CEL's compiler complains of, in one line. */
public final class CompilerWords {
    private CompilerWords() {}

    public static String of(Exception wrong) {
        return String.valueOf(wrong.getMessage())
                .lines()
                .filter(line -> !line.isBlank() && !line.strip().startsWith("|"))
                .map(line -> line.replaceFirst("^ERROR: <input>:", "at "))
                .collect(Collectors.joining("; "));
    }
}
