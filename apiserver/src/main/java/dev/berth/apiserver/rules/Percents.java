package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/** Numbers that may also be given as a percentage. */
final class Percents {
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final String NOT_A_PERCENT = Names.regex(
            "a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%", "1%", "93%");

    private Percents() {}

    static void positive(JsonNode value, String path, Errors errors) {
        if (value.isTextual()) {
            if (!isPercent(value)) errors.invalid(path, value, NOT_A_PERCENT);
        } else if (value.asLong() < 0) errors.invalid(path, value.asLong(), Wording.NOT_NEGATIVE);
    }

    static void atMostAll(JsonNode value, String path, Errors errors) {
        if (isPercent(value) && value(value) > 100) errors.invalid(path, value, "must not be greater than 100%");
    }

    static long value(JsonNode value) {
        if (!value.isTextual()) return value.asLong();
        String text = value.textValue();
        return isPercent(value) && text.length() < 10 ? Long.parseLong(text.substring(0, text.length() - 1)) : 0;
    }

    private static boolean isPercent(JsonNode value) {
        return value.isTextual() && PERCENT.matcher(value.textValue()).matches();
    }
}
