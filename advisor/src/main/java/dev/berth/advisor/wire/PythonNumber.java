package dev.berth.advisor.wire;

import java.math.BigDecimal;

/** Floating-point numbers as the published agent, a Python program, writes them. */
public final class PythonNumber {
    private PythonNumber() {}

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
