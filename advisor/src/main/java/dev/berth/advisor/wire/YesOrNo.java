package dev.berth.advisor.wire;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Yes and no as the advisor's variables have them. */
public final class YesOrNo {
    private static final List<String> YES = List.of("true", "1", "yes", "on", "t", "y");
    private static final List<String> NO = List.of("false", "0", "no", "off", "f", "n");

    private YesOrNo() {}

    /** Empty for a word that is neither. */
    public static Optional<Boolean> of(String text) {
        var word = text.strip().toLowerCase(Locale.ROOT);
        return YES.contains(word) ? Optional.of(true) : NO.contains(word) ? Optional.of(false) : Optional.empty();
    }

    /** All words that are understood. */
    public static String words() {
        return String.join(", ", YES) + ", " + String.join(", ", NO);
    }
}
