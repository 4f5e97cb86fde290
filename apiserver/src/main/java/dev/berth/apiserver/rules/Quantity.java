package dev.berth.apiserver.rules;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An exact amount of a resource, written the way Kubernetes writes it back. */
public final class Quantity implements Comparable<Quantity> {
    static final String WRONG_FORMAT =
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private static final String WRONG_SUFFIX = "unable to parse quantity's suffix";
    private static final String WRONG_NUMBER = "unable to parse numeric part of quantity";

    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final BigInteger TEN = BigInteger.TEN;
    private static final int NANO = 9;

    /** Most pods ask for what others asked for, and each amount is looked at several times. */
    private static final Map<String, Quantity> KNOWN = new ConcurrentHashMap<>();

    private static final int MOST_KNOWN = 2_000;

    private enum Format {
        DECIMAL_EXPONENT,
        BINARY,
        DECIMAL
    }

    private final BigDecimal amount;
    private final Format format;
    private final String text;

    private Quantity(BigDecimal amount, Format format, String text) {
        this.amount = amount;
        this.format = format;
        this.text = text;
    }

    /** Thrown with the words of the real server. */
    static final class Malformed extends RuntimeException {
        Malformed(String message) {
            super(message, null, false, false);
        }
    }

    static Quantity parse(String text) {
        Quantity known = KNOWN.get(text);
        if (known != null) return known;
        Quantity parsed = read(text);
        if (KNOWN.size() < MOST_KNOWN) KNOWN.put(text, parsed);
        return parsed;
    }

    private static Quantity read(String text) {
        int end = text.length();
        int at = 0;
        if (end == 0) throw new Malformed(WRONG_FORMAT);
        if (text.charAt(0) == '-' || text.charAt(0) == '+') at++;
        int signed = at;
        while (at < end && text.charAt(at) == '0') at++;
        int wholeStart = at;
        while (at < end && isDigit(text.charAt(at))) at++;
        String whole = wholeStart == at ? "0" : text.substring(wholeStart, at);
        String fraction = "";
        if (at < end && text.charAt(at) == '.') {
            int fractionStart = ++at;
            while (at < end && isDigit(text.charAt(at))) at++;
            fraction = text.substring(fractionStart, at);
        }
        // No digit at all: "abc", "-", ".". A lone sign counts as zero in Kubernetes.
        if (at == signed && at < end) throw new Malformed(suffixEnd(text, at) == end ? WRONG_NUMBER : WRONG_FORMAT);
        if (suffixEnd(text, at) != end) throw new Malformed(WRONG_FORMAT);
        return scaled(text, text.charAt(0) == '-', whole, fraction, text.substring(at));
    }

    private static int suffixEnd(String text, int from) {
        int at = from;
        int end = text.length();
        while (at < end && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) at++;
        if (at < end && (text.charAt(at) == '-' || text.charAt(at) == '+')) at++;
        while (at < end && isDigit(text.charAt(at))) at++;
        return at;
    }

    private static Quantity scaled(String text, boolean negative, String whole, String fraction, String suffix) {
        int binary = binaryExponent(suffix);
        Format format = binary > 0 ? Format.BINARY : decimalFormat(suffix);
        int exponent = binary > 0 ? binary : decimalExponent(suffix);
        String digits = whole + fraction;
        var amount = new BigDecimal(new BigInteger(digits), fraction.length());
        amount = binary > 0
                ? amount.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(exponent)))
                : amount.scaleByPowerOfTen(exponent);
        boolean quick = quick(format, digits, fraction, exponent);
        if (!quick) {
            amount = amount.scale() > NANO ? amount.setScale(NANO, RoundingMode.UP) : amount;
            if (format == Format.BINARY && amount.compareTo(LARGEST_BINARY) > 0) amount = LARGEST_BINARY;
            if (format == Format.BINARY && amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0)
                format = Format.DECIMAL;
        }
        if (negative) amount = amount.negate();
        boolean asWritten = quick && keptAsWritten(format, digits, fraction, exponent);
        return new Quantity(amount, format, asWritten ? text : canonical(amount, format));
    }

    /** Whether the real server takes its way for numbers that fit 64 bits, which keeps some spellings as they are. */
    private static boolean quick(Format format, String digits, String fraction, int exponent) {
        if (format == Format.BINARY)
            return fraction.isEmpty() && 15 - digits.length() - (int) (exponent * 3 / 10f) - 1 >= 0;
        return 18 - digits.length() >= 0 && exponent - fraction.length() >= -NANO;
    }

    private static boolean keptAsWritten(Format format, String digits, String fraction, int exponent) {
        if (format == Format.BINARY) return (Long.parseLong(digits) & 7) != 0;
        return (exponent - fraction.length()) % 3 == 0 && !digits.endsWith("000") && digits.charAt(0) != '0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int binaryExponent(String suffix) {
        return switch (suffix) {
            case "Ki" -> 10;
            case "Mi" -> 20;
            case "Gi" -> 30;
            case "Ti" -> 40;
            case "Pi" -> 50;
            case "Ei" -> 60;
            default -> 0;
        };
    }

    private static Format decimalFormat(String suffix) {
        return suffix.length() > 1 ? Format.DECIMAL_EXPONENT : Format.DECIMAL;
    }

    private static int decimalExponent(String suffix) {
        return switch (suffix) {
            case "" -> 0;
            case "n" -> -9;
            case "u" -> -6;
            case "m" -> -3;
            case "k" -> 3;
            case "M" -> 6;
            case "G" -> 9;
            case "T" -> 12;
            case "P" -> 15;
            case "E" -> 18;
            default -> writtenExponent(suffix);
        };
    }

    private static int writtenExponent(String suffix) {
        char first = suffix.charAt(0);
        if (suffix.length() < 2 || suffix.length() > 6 || (first != 'e' && first != 'E'))
            throw new Malformed(WRONG_SUFFIX);
        try {
            return Integer.parseInt(suffix, 1, suffix.length(), 10);
        } catch (NumberFormatException _) {
            throw new Malformed(WRONG_SUFFIX);
        }
    }

    private static String canonical(BigDecimal amount, Format wanted) {
        if (amount.signum() == 0) return "0";
        boolean binary =
                wanted == Format.BINARY && amount.abs().compareTo(BigDecimal.valueOf(1024)) >= 0 && isWhole(amount);
        if (binary) return binaryText(amount.toBigIntegerExact());
        return decimalText(amount, wanted == Format.BINARY ? Format.DECIMAL : wanted);
    }

    private static boolean isWhole(BigDecimal amount) {
        return amount.stripTrailingZeros().scale() <= 0;
    }

    private static String binaryText(BigInteger value) {
        int steps = 0;
        while (true) {
            BigInteger[] parts = value.divideAndRemainder(KIBI);
            if (parts[1].signum() != 0) break;
            value = parts[0];
            steps++;
        }
        String[] suffixes = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
        return value + (steps < suffixes.length ? suffixes[steps] : "");
    }

    private static String decimalText(BigDecimal amount, Format format) {
        BigDecimal stripped = amount.stripTrailingZeros();
        BigInteger mantissa = stripped.unscaledValue();
        int exponent = -stripped.scale();
        for (int rest = Math.floorMod(exponent, 3); rest > 0; rest--) {
            mantissa = mantissa.multiply(TEN);
            exponent--;
        }
        if (format == Format.DECIMAL_EXPONENT) return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
        return mantissa
                + switch (exponent) {
                    case -9 -> "n";
                    case -6 -> "u";
                    case -3 -> "m";
                    case 3 -> "k";
                    case 6 -> "M";
                    case 9 -> "G";
                    case 12 -> "T";
                    case 15 -> "P";
                    case 18 -> "E";
                    default -> "";
                };
    }

    /** Kubernetes rounds what containers ask for up to a thousandth. */
    Quantity roundedUpToMilli() {
        if (amount.scale() <= 3) return this;
        BigDecimal rounded = amount.setScale(3, RoundingMode.UP);
        return new Quantity(rounded, format, canonical(rounded, format));
    }

    public Quantity plus(Quantity other) {
        BigDecimal sum = amount.add(other.amount);
        Format wanted = amount.signum() == 0 ? other.format : format;
        return new Quantity(sum, wanted, canonical(sum, wanted));
    }

    public BigDecimal amount() {
        return amount;
    }

    boolean whole() {
        return isWhole(amount);
    }

    int signum() {
        return amount.signum();
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity quantity && compareTo(quantity) == 0;
    }

    @Override
    public int hashCode() {
        return amount.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
