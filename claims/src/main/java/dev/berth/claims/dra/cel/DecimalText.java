package dev.berth.claims.dra.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers with a fraction in the ways in which Kubernetes' evaluator writes them: Go's, and American English. */
final class DecimalText {
    private static final String SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    /** Digits after the point, where nobody says how many. */
    static final int PRECISION = 6;

    private DecimalText() {}

    /** {@code 1,234.500}. */
    static String fixed(double number, int precision) {
        if (!Double.isFinite(number)) {
            return infinite(number);
        }
        var digits = rounded(number, precision);
        int point = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
        var text = new StringBuilder(digits);
        for (int place = point - 3; place > 0; place -= 3) {
            text.insert(place, ',');
        }
        return number < 0 ? text.insert(0, '-').toString() : text.toString();
    }

    /** {@code 1.052033×10⁰³}; always with six digits: the evaluator takes a precision for a width. */
    static String scientific(double number, int width) {
        var text = Double.isFinite(number) ? power(number) : infinite(number);
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    private static String power(double number) {
        var exact = new BigDecimal(Math.abs(number));
        int exponent = exact.signum() == 0 ? 0 : exact.precision() - exact.scale() - 1;
        var mantissa = exact.movePointLeft(exponent).setScale(PRECISION, RoundingMode.HALF_EVEN);
        if (mantissa.compareTo(BigDecimal.TEN) >= 0) {
            exponent++;
            mantissa = exact.movePointLeft(exponent).setScale(PRECISION, RoundingMode.HALF_EVEN);
        }
        var text = new StringBuilder(number < 0 ? "-" : "")
                .append(mantissa.toPlainString())
                .append("×10")
                .append(exponent < 0 ? "⁻" : "");
        twoDigits(exponent).chars().forEach(digit -> text.append(SUPERSCRIPT.charAt(digit - '0')));
        return text.toString();
    }

    private static String infinite(double number) {
        return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
    }

    /** As few digits as tell it from its neighbours: {@code 1.5}, {@code 1e+06}. */
    static String shortest(double number) {
        if (!Double.isFinite(number)) {
            return Double.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        var exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        if (exponent >= -4 && exponent < PRECISION) {
            return exact.toPlainString();
        }
        return "%se%s%s"
                .formatted(
                        exact.movePointLeft(exponent).toPlainString(), exponent < 0 ? '-' : '+', twoDigits(exponent));
    }

    /** As numbers stand in lists. */
    static String inList(double number) {
        return Double.isFinite(number)
                ? (number < 0 ? "-" : "") + rounded(number, PRECISION)
                : '"' + shortest(number) + '"';
    }

    /** Without its sign. */
    private static String rounded(double number, int precision) {
        return new BigDecimal(Math.abs(number))
                .setScale(precision, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    private static String twoDigits(int exponent) {
        return String.format(Locale.ROOT, "%02d", Math.abs(exponent));
    }
}
