package dev.berth.pinner.map;

import java.util.OptionalLong;

/**
 * Whole numbers as the maps' first reader, a Python program, took them: with a sign, leading zeros, single underscores
 * between digits, and the digits of any script.
 */
final class WholeNumber {
    private WholeNumber() {}

    /** Empty for text that is none, and for one that no ordinal can be. */
    static OptionalLong parse(String text) {
        var trimmed = Whitespace.trim(text);
        boolean negative = trimmed.startsWith("-");
        var digits = negative || trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
        if (digits.isEmpty()) {
            return OptionalLong.empty();
        }
        long value = 0;
        boolean afterDigit = false;
        for (int character : digits.codePoints().toArray()) {
            if (character == '_' && afterDigit) {
                afterDigit = false;
                continue;
            }
            int digit = Character.isDigit(character) ? Character.digit(character, 10) : -1;
            if (digit < 0 || value > (Long.MAX_VALUE - digit) / 10) {
                return OptionalLong.empty();
            }
            value = value * 10 + digit;
            afterDigit = true;
        }
        return afterDigit ? OptionalLong.of(negative ? -value : value) : OptionalLong.empty();
    }
}
