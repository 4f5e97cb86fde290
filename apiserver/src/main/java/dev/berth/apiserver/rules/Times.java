package dev.berth.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Times as Kubernetes writes them: in UTC, to the second or to the microsecond. */
final class Times {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private Times() {}

    static String seconds(Instant time) {
        return time.atOffset(ZoneOffset.UTC).format(SECONDS);
    }

    static JsonNode converted(JsonNode value, boolean micro) {
        String text = value.textValue();
        if (text.isEmpty() || isCanonical(text, micro)) return text.isEmpty() ? NullNode.getInstance() : value;
        String layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
        OffsetDateTime time;
        try {
            time = OffsetDateTime.parse(text);
        } catch (DateTimeParseException e) {
            throw wrong(text, layout, text.substring(Math.min(e.getErrorIndex(), text.length())));
        }
        if (micro) {
            int dot = text.indexOf('.');
            int digitsEnd = dot < 0 ? text.length() : dot + 1;
            while (dot >= 0 && digitsEnd < text.length() && Character.isDigit(text.charAt(digitsEnd))) digitsEnd++;
            if (dot < 0) throw new GoForm.Mismatch(sentence(text, layout, text.substring(19), ".000000"));
            if (digitsEnd - dot - 1 > 6)
                throw new GoForm.Mismatch(sentence(text, layout, text.substring(dot + 7), "Z07:00"));
            if (digitsEnd - dot - 1 < 6)
                throw new GoForm.Mismatch(sentence(text, layout, text.substring(dot), ".000000"));
        }
        return TextNode.valueOf(time.withOffsetSameInstant(ZoneOffset.UTC).format(micro ? MICROS : SECONDS));
    }

    private static boolean isCanonical(String text, boolean micro) {
        int length = micro ? 27 : 20;
        if (text.length() != length || text.charAt(length - 1) != 'Z') return false;
        for (int i = 0; i < length - 1; i++) {
            char c = text.charAt(i);
            boolean fits = switch (i) {
                case 4, 7 -> c == '-';
                case 10 -> c == 'T';
                case 13, 16 -> c == ':';
                case 19 -> c == '.';
                default -> c >= '0' && c <= '9';
            };
            if (!fits) return false;
        }
        return number(text, 5) <= 12
                && number(text, 8) <= 28
                && number(text, 11) < 24
                && number(text, 14) < 60
                && number(text, 17) < 60
                && number(text, 5) > 0
                && number(text, 8) > 0;
    }

    private static int number(String text, int at) {
        return (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
    }

    private static GoForm.Mismatch wrong(String text, String layout, String rest) {
        // Go names the part of its layout that the rest of the text does not match.
        String[] parts = {"2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"};
        int at = text.length() - rest.length();
        int part = 0;
        for (int seen = 0; part < parts.length - 1 && seen + parts[part].length() <= at; part++)
            seen += parts[part].length();
        String expected = at >= 19 ? "Z07:00" : parts[part];
        return new GoForm.Mismatch(sentence(text, layout, rest, expected));
    }

    private static String sentence(String text, String layout, String rest, String expected) {
        return "parsing time \"%s\" as \"%s\": cannot parse \"%s\" as \"%s\"".formatted(text, layout, rest, expected);
    }
}
