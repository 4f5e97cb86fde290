package dev.berth.claims.dra.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code '%s of %d'.format([a, b])}, to the letter as Kubernetes' evaluator writes it. */
final class TextFormat {
    /** Nobody reads more digits; a text of millions of them would only take memory. */
    private static final int LONGEST_PRECISION = 1_000;

    private final String format;
    private final List<?> values;
    private final StringBuilder text = new StringBuilder();
    private int at;
    private int next;

    private TextFormat(String format, List<?> values) {
        this.format = format;
        this.values = values;
    }

    /** @throws IllegalArgumentException with what is wrong with the format or with a value */
    static String format(String format, List<?> values) {
        return new TextFormat(format, values).run();
    }

    private String run() {
        while (at < format.length()) {
            char letter = format.charAt(at++);
            if (letter != '%') {
                text.append(letter);
            } else if (at < format.length() && format.charAt(at) == '%') {
                at++;
                text.append('%');
            } else {
                clause();
            }
        }
        return text.toString();
    }

    private void clause() {
        var precision = precision();
        if (at >= format.length()) {
            throw new IllegalArgumentException("unexpected end of string");
        }
        char kind = format.charAt(at++);
        if ("sdfebxXo".indexOf(kind) < 0) {
            throw new IllegalArgumentException(
                    "could not parse formatting clause: unrecognized formatting clause \"%s\"".formatted(kind));
        }
        if (next >= values.size()) {
            throw new IllegalArgumentException("index %d out of range".formatted(next));
        }
        Object value = values.get(next++);
        text.append(
                switch (kind) {
                    case 's' -> CelText.of(value);
                    case 'd' -> whole(value, 10, "decimal clause can only be used on integers");
                    case 'o' -> whole(value, 8, "octal clause can only be used on integers");
                    case 'b' -> binary(value);
                    case 'f' ->
                        DecimalText.fixed(number(value, "fixed-point"), precision.orElse(DecimalText.PRECISION));
                    case 'e' ->
                        DecimalText.scientific(number(value, "scientific"), precision.orElse(DecimalText.PRECISION));
                    case 'x' -> hexadecimal(value);
                    default -> hexadecimal(value).toUpperCase(Locale.ROOT);
                });
    }

    private Optional<Integer> precision() {
        if (at >= format.length() || format.charAt(at) != '.') {
            return Optional.empty();
        }
        int from = ++at;
        while (at < format.length() && Character.digit(format.charAt(at), 10) >= 0) {
            at++;
        }
        var digits = format.substring(from, at);
        if (digits.isEmpty() || digits.length() > 4 || Integer.parseInt(digits) > LONGEST_PRECISION) {
            throw new IllegalArgumentException(
                    "could not parse formatting clause: '%s' is not a precision".formatted(digits));
        }
        return Optional.of(Integer.parseInt(digits));
    }

    private static String whole(Object value, int base, String otherwise) {
        return switch (value) {
            case Long number -> Long.toString(number, base);
            case UnsignedLong number -> number.toString(base);
            default -> throw wrong(otherwise, value);
        };
    }

    private static String binary(Object value) {
        return value instanceof Boolean yes
                ? (yes ? "1" : "0")
                : whole(value, 2, "only integers and bools can be formatted as binary");
    }

    private static String hexadecimal(Object value) {
        return switch (value) {
            case String written -> HexFormat.of().formatHex(written.getBytes(StandardCharsets.UTF_8));
            case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
            default -> whole(value, 16, "only integers, byte buffers, and strings can be formatted as hex");
        };
    }

    private static double number(Object value, String clause) {
        return switch (value) {
            case Double number -> number;
            case String name
            when name.equals("NaN") || name.equals("Infinity") || name.equals("-Infinity") -> Double.parseDouble(name);
            default -> throw wrong(clause + " clause can only be used on doubles", value);
        };
    }

    static IllegalArgumentException wrong(String what, Object value) {
        return new IllegalArgumentException(
                "error during formatting: %s, was given %s".formatted(what, CelText.typeOf(value)));
    }
}
