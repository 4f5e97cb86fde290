package dev.berth.claims.api;

import dev.berth.core.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Amounts the way people write them: 40Gi, not 42949672960. */
public final class Quantities {
    private static final String[] UNITS = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final BigInteger GIGA = BigInteger.valueOf(1_000_000_000);
    private static final BigInteger STEP = BigInteger.valueOf(1024);

    private Quantities() {}

    /** The largest unit that leaves a whole number: giga first, as link speeds are said, then the binary ones. */
    public static String text(Quantity quantity) {
        BigDecimal value = quantity.value();
        if (value.signum() <= 0 || value.scale() > 0) {
            return quantity.toString();
        }
        BigInteger rest = value.toBigIntegerExact();
        if (rest.mod(GIGA).signum() == 0) {
            return rest.divide(GIGA) + "G";
        }
        String unit = "";
        for (String next : UNITS) {
            BigInteger[] parts = rest.divideAndRemainder(STEP);
            if (parts[1].signum() != 0) {
                break;
            }
            rest = parts[0];
            unit = next;
        }
        return rest + unit;
    }
}
