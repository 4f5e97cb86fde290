package dev.berth.advisor.wire;

import java.math.BigDecimal;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Floating-point numbers as the published agent, a Python program, reads and writes them. */
public final class PythonNumber {
    /** Possessive, so that a text of any length is read in one pass and without a deep stack. */
    private static final String DIGITS = "\\d++(?:_\\d++)*+";

    private static final Pattern WHOLE = Pattern.compile("[+-]?" + DIGITS);
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(?:D(?:\\.D?)?|\\.D)(?:[eE][+-]?D)?".replace("D", "(?:" + DIGITS + ")"));
    private static final Pattern WORD = Pattern.compile("(?i)([+-]?)(?:(inf(?:inity)?)|nan)");

    private PythonNumber() {}

    /** Whether Python's {@code int()} takes a text. */
    static boolean isWhole(String text) {
        return WHOLE.matcher(text.strip()).matches();
    }

    /** What Python's {@code float()} makes of a text; Java's own reader takes {@code 40d} and {@code 0x1p3}, too. */
    public static OptionalDouble read(String text) {
        var word = text.strip();
        if (DECIMAL.matcher(word).matches()) {
            return OptionalDouble.of(Double.parseDouble(word.replace("_", "")));
        }
        var named = WORD.matcher(word);
        if (!named.matches()) {
            return OptionalDouble.empty();
        }
        if (named.group(2) == null) {
            return OptionalDouble.of(Double.NaN);
        }
        return OptionalDouble.of("-".equals(named.group(1)) ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }

    /** The shortest digits that mean this number; exponents below -4 and from 16 on are written as {@code 1e-05}. */
    public static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("JSON knows no " + value);
        }
        var digits = Double.toString(value);
        if (!digits.contains("E")) {
            return digits;
        }
        int exponent = Integer.parseInt(digits.substring(digits.indexOf('E') + 1));
        var mantissa = digits.substring(0, digits.indexOf('E'));
        return exponent >= -4 && exponent < 16 ? plain(mantissa, exponent) : scientific(mantissa, exponent);
    }

    private static String plain(String mantissa, int exponent) {
        var plain = new BigDecimal(mantissa)
                .scaleByPowerOfTen(exponent)
                .stripTrailingZeros()
                .toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }

    private static String scientific(String mantissa, int exponent) {
        var shortened = mantissa.endsWith(".0") ? mantissa.substring(0, mantissa.length() - 2) : mantissa;
        var size = Integer.toString(Math.abs(exponent));
        return shortened + "e" + (exponent < 0 ? "-" : "+") + (size.length() == 1 ? "0" : "") + size;
    }
}
