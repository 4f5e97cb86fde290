package dev.berth.claims.cel;

import com.google.common.primitives.UnsignedLong;
import dev.berth.claims.api.Quantities;
import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an attribute compares with whatever stands on the other side: as a quantity if it is one, as a version if it is
 * one, and otherwise as CEL has it.
 */
final class Comparison {
    private Comparison() {}

    static boolean equal(Object left, Object right) {
        if (isTyped(left) || isTyped(right)) {
            return versionsAreTexts(left, right)
                    .or(() -> order(left, right).map(order -> order == 0))
                    .orElse(false);
        }
        if (left instanceof Number || left instanceof UnsignedLong) {
            return number(left)
                    .flatMap(a -> number(right).map(b -> a.compareTo(b) == 0))
                    .orElse(false);
        }
        return left.equals(right);
    }

    /** Two texts that are not both versions are compared letter by letter. */
    private static Optional<Boolean> versionsAreTexts(Object left, Object right) {
        Optional<String> a = text(left);
        Optional<String> b = text(right);
        boolean texts = a.isPresent() && b.isPresent();
        if (!texts || (version(left).isPresent() && version(right).isPresent())) {
            return Optional.empty();
        }
        return Optional.of(a.equals(b));
    }

    /** @throws IllegalArgumentException where the two have no order, with the reason */
    static int compare(Object left, Object right) {
        return order(left, right)
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s and %s cannot be compared".formatted(described(left), described(right))));
    }

    static boolean contains(Object list, Object value) {
        return switch (list) {
            case List<?> values -> values.stream().anyMatch(each -> equal(each, value));
            case Map<?, ?> map -> map.keySet().stream().anyMatch(each -> equal(each, value));
            default -> throw new IllegalArgumentException(described(list) + " is neither a list nor a map");
        };
    }

    private static Optional<Integer> order(Object left, Object right) {
        if (left instanceof Attribute.Amount || right instanceof Attribute.Amount) {
            return quantity(left).flatMap(a -> quantity(right).map(a::compareTo));
        }
        if (left instanceof Attribute.Version || right instanceof Attribute.Version) {
            return version(left).flatMap(a -> version(right).map(a::compareTo));
        }
        if (left instanceof String a && right instanceof String b) {
            return Optional.of(a.compareTo(b));
        }
        if (left instanceof Boolean a && right instanceof Boolean b) {
            return Optional.of(a.compareTo(b));
        }
        return number(left).flatMap(a -> number(right).map(a::compareTo));
    }

    private static boolean isTyped(Object value) {
        return value instanceof Attribute;
    }

    private static Optional<Quantity> quantity(Object value) {
        return switch (value) {
            case Attribute.Amount(var quantity) -> Optional.of(quantity);
            case String text -> {
                try {
                    yield Optional.of(Quantity.parse(text));
                } catch (IllegalArgumentException notOne) {
                    yield Optional.empty();
                }
            }
            default -> number(value).map(Quantity::new);
        };
    }

    private static Optional<SemanticVersion> version(Object value) {
        return text(value).flatMap(SemanticVersion::parse);
    }

    private static Optional<String> text(Object value) {
        return switch (value) {
            case String text -> Optional.of(text);
            case Attribute.Version(var text) -> Optional.of(text);
            default -> Optional.empty();
        };
    }

    private static Optional<BigDecimal> number(Object value) {
        return switch (value) {
            case Long number -> Optional.of(BigDecimal.valueOf(number));
            case Integer number -> Optional.of(BigDecimal.valueOf(number));
            case Double number when Double.isFinite(number) -> Optional.of(BigDecimal.valueOf(number));
            case UnsignedLong number -> Optional.of(new BigDecimal(number.bigIntegerValue()));
            case BigInteger number -> Optional.of(new BigDecimal(number));
            default -> Optional.empty();
        };
    }

    private static String described(Object value) {
        return switch (value) {
            case Attribute.Amount(var quantity) -> "the quantity " + Quantities.text(quantity);
            case Attribute.Version(var version) -> "the version " + version;
            case String text -> "'" + text + "'";
            default -> String.valueOf(value);
        };
    }
}
