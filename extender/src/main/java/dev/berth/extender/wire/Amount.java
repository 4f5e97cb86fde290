package dev.berth.extender.wire;

import dev.berth.core.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Whole units of a resource, as the scheduler counts them: rounded up. */
public final class Amount {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE >> 16);
    private static final int SHORT = 12;

    private Amount() {}

    /** @throws IllegalArgumentException for what is no quantity */
    public static long of(String text) {
        if (!text.isEmpty() && text.length() <= SHORT && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Long.parseLong(text);
        }
        return Quantity.parse(text)
                .value()
                .setScale(0, RoundingMode.CEILING)
                .min(LARGEST)
                .max(LARGEST.negate())
                .longValue();
    }
}
