package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Amounts of resources as kube-scheduler counts them: cpu in thousandths, all else in whole units, rounded up. */
public record Resources(Map<String, Long> amounts) {
    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    public static final String PODS = "pods";
    public static final Resources NONE = new Resources(Map.of());

    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    public Resources {
        amounts = Map.copyOf(amounts);
    }

    /** What an object says; an amount that cannot be read is an exception that names the resource. */
    public static Resources of(@Nullable Map<String, Quantity> quantities) {
        if (quantities == null || quantities.isEmpty()) {
            return NONE;
        }
        var amounts = new TreeMap<String, Long>();
        quantities.forEach((resource, quantity) -> amounts.put(resource, amount(resource, quantity)));
        return new Resources(amounts);
    }

    private static long amount(String resource, Quantity quantity) {
        try {
            var value = dev.berth.core.Quantity.parse(quantity.toString()).value();
            var units = resource.equals(CPU) ? value.multiply(MILLI) : value;
            return units.setScale(0, RoundingMode.CEILING).min(LARGEST).longValue();
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("%s: %s".formatted(resource, malformed.getMessage()), malformed);
        }
    }

    public long of(String resource) {
        return amounts.getOrDefault(resource, 0L);
    }

    public Resources plus(Resources other) {
        return other.amounts.isEmpty() ? this : combined(other, Resources::sum);
    }

    public Resources minus(Resources other) {
        return other.amounts.isEmpty() ? this : combined(other, (mine, theirs) -> mine - theirs);
    }

    /** For each resource the larger amount. */
    public Resources max(Resources other) {
        return other.amounts.isEmpty() ? this : combined(other, Math::max);
    }

    /** With these amounts in place of ours. */
    public Resources overriddenBy(Resources other) {
        return other.amounts.isEmpty() ? this : combined(other, (mine, theirs) -> theirs);
    }

    private Resources combined(Resources other, LongBinaryOperator operation) {
        var result = new TreeMap<>(amounts);
        other.amounts.forEach((resource, theirs) -> {
            long value = operation.applyAsLong(of(resource), theirs);
            if (value == 0) {
                result.remove(resource);
            } else {
                result.put(resource, value);
            }
        });
        return new Resources(result);
    }

    private static long sum(long mine, long theirs) {
        long sum = mine + theirs;
        return sum < 0 && mine > 0 ? Long.MAX_VALUE : sum;
    }

    /** An amount the way people write it: {@code 1500m} of cpu, {@code 64Gi} of memory. */
    public static String words(String resource, long amount) {
        if (resource.equals(CPU)) {
            return amount % 1000 == 0 ? Long.toString(amount / 1000) : amount + "m";
        }
        if (resource.equals(MEMORY) || resource.equals("ephemeral-storage") || resource.startsWith("hugepages-")) {
            return bytes(amount);
        }
        return Long.toString(amount);
    }

    private static String bytes(long amount) {
        var suffixes = new String[] {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
        int unit = 0;
        long left = amount;
        while (left != 0 && left % 1024 == 0 && unit < suffixes.length - 1) {
            left /= 1024;
            unit++;
        }
        return left + suffixes[unit];
    }
}
