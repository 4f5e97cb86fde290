package dev.berth.core;

import java.math.BigDecimal;
import java.util.Map;

/** An exact amount, read and compared the way Kubernetes does: {@code 500m}, {@code 16Gi}, {@code 2e3}. */
public record Quantity(BigDecimal value) implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO);

    private static final int LONGEST = 64;
    private static final int LARGEST_EXPONENT = 30;
    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("n", BigDecimal.valueOf(1, 9)),
            Map.entry("u", BigDecimal.valueOf(1, 6)),
            Map.entry("m", BigDecimal.valueOf(1, 3)),
            Map.entry("", BigDecimal.ONE),
            Map.entry("k", BigDecimal.valueOf(1_000)),
            Map.entry("M", BigDecimal.valueOf(1_000_000)),
            Map.entry("G", BigDecimal.valueOf(1_000_000_000)),
            Map.entry("T", BigDecimal.valueOf(1_000_000_000_000L)),
            Map.entry("P", BigDecimal.valueOf(1_000_000_000_000_000L)),
            Map.entry("E", BigDecimal.valueOf(1_000_000_000_000_000_000L)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    public Quantity {
        // Without this 1 and 1.0 would be two quantities to equals.
        value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    public static Quantity of(long value) {
        return new Quantity(BigDecimal.valueOf(value));
    }

    public static Quantity parse(String text) {
        int end = numberEnd(text);
        String suffix = text.substring(end);
        try {
            if (end == 0 || text.length() > LONGEST) {
                throw new NumberFormatException();
            }
            var number = new BigDecimal(text.substring(0, end));
            var factor = SUFFIXES.get(suffix);
            if (factor != null) {
                return new Quantity(number.multiply(factor));
            }
            if (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E') {
                int exponent = Integer.parseInt(suffix.substring(1));
                if (Math.abs((long) exponent) <= LARGEST_EXPONENT) {
                    return new Quantity(number.scaleByPowerOfTen(exponent));
                }
            }
            throw new NumberFormatException();
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("not a quantity: '" + text + "'", notANumber);
        }
    }

    private static int numberEnd(String text) {
        int end = 0;
        while (end < text.length() && "+-.0123456789".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    public Quantity plus(Quantity other) {
        return new Quantity(value.add(other.value));
    }

    public Quantity minus(Quantity other) {
        return new Quantity(value.subtract(other.value));
    }

    public Quantity times(int count) {
        return new Quantity(value.multiply(BigDecimal.valueOf(count)));
    }

    /** Itself, unless it is less than nothing. */
    public Quantity orZero() {
        return value.signum() < 0 ? ZERO : this;
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    /** Kubernetes' canonical form is not unique; this one is plain digits, which every reader of quantities takes. */
    @Override
    public String toString() {
        if (value.scale() <= 0) {
            return value.toPlainString();
        }
        // Kubernetes reads three fractional digits of a plain number as milli: keep to whole numbers and suffixes.
        for (var unit : new String[] {"m", "u", "n"}) {
            var scaled = value.divide(SUFFIXES.getOrDefault(unit, BigDecimal.ONE));
            if (scaled.stripTrailingZeros().scale() <= 0) {
                return scaled.toPlainString() + unit;
            }
        }
        return value.toPlainString();
    }
}
