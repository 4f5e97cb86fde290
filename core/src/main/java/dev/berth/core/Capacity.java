package dev.berth.core;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/** How much of something a device has, and in what amounts it is given out. */
public record Capacity(Quantity amount, Rule rule) {
    public Capacity {
        if (amount.compareTo(Quantity.ZERO) < 0) {
            throw new IllegalArgumentException("a capacity cannot be negative: " + amount);
        }
    }

    /** A capacity that is given out in any amount, and whole to those who do not say how much. */
    public static Capacity of(Quantity amount) {
        return new Capacity(amount, Rule.ANY);
    }

    public static Capacity inBlocks(Quantity amount, Quantity block) {
        return new Capacity(amount, new Rule.Blocks(block));
    }

    /** What a request for so much takes from a device that is shared; nothing where the rule has no such amount. */
    public Optional<Quantity> taken(Optional<Quantity> requested) {
        return switch (rule) {
            case Rule.Any() -> Optional.of(requested.orElse(amount));
            case Rule.Blocks(var size) ->
                Optional.of(requested.map(wanted -> roundUp(wanted, size)).orElse(Quantity.ZERO));
            case Rule.OneOf(var fallback, var values) -> {
                var wanted = requested.orElse(fallback);
                yield values.stream()
                        .filter(value -> value.compareTo(wanted) >= 0)
                        .findFirst();
            }
            case Rule.Range(var fallback, var min, var max, var step) ->
                inRange(requested.orElse(fallback), min, max, step);
        };
    }

    private static Optional<Quantity> inRange(
            Quantity wanted, Quantity min, Optional<Quantity> max, Optional<Quantity> step) {
        var least = wanted.compareTo(min) < 0 ? min : wanted;
        var rounded = step.map(by -> min.plus(roundUp(least.minus(min), by))).orElse(least);
        return max.isPresent() && rounded.compareTo(max.get()) > 0 ? Optional.empty() : Optional.of(rounded);
    }

    static Quantity roundUp(Quantity wanted, Quantity block) {
        return blocks(wanted, block, RoundingMode.CEILING);
    }

    /** The most of what is left that the rule can give out. */
    public Quantity usable(Quantity left) {
        return switch (rule) {
            case Rule.Any() -> left;
            case Rule.Blocks(var size) -> blocks(left, size, RoundingMode.FLOOR);
            case Rule.OneOf(Quantity _, var values) ->
                values.stream().filter(value -> value.compareTo(left) <= 0).reduce(Quantity.ZERO, (_, next) -> next);
            case Rule.Range(Quantity _, var min, var max, var step) -> {
                var most = max.isPresent() && max.get().compareTo(left) < 0 ? max.get() : left;
                yield most.compareTo(min) < 0
                        ? Quantity.ZERO
                        : step.map(by -> min.plus(blocks(most.minus(min), by, RoundingMode.FLOOR)))
                                .orElse(most);
            }
        };
    }

    /** By how much one amount that can be given out differs from the next; nothing where that has no answer. */
    public Optional<Quantity> step() {
        return switch (rule) {
            case Rule.Blocks(var size) -> Optional.of(size);
            case Rule.Range(Quantity _, Quantity _, Optional<Quantity> _, var step) -> step;
            case Rule.Any(), Rule.OneOf _ -> Optional.empty();
        };
    }

    private static Quantity blocks(Quantity wanted, Quantity block, RoundingMode mode) {
        BigDecimal count = wanted.value().divide(block.value(), 0, mode);
        return new Quantity(count.multiply(block.value()));
    }

    /** In what amounts a capacity is given out. */
    public sealed interface Rule {
        Rule ANY = new Any();

        record Any() implements Rule {}

        /** In multiples of a block, and nothing to those who do not say how much. */
        record Blocks(Quantity size) implements Rule {
            public Blocks {
                if (size.compareTo(Quantity.ZERO) <= 0) {
                    throw new IllegalArgumentException("a block size is more than nothing, not: " + size);
                }
            }
        }

        /** In one of these amounts, the next larger one if need be. */
        record OneOf(Quantity fallback, List<Quantity> values) implements Rule {
            public OneOf {
                values = values.stream().sorted().distinct().toList();
            }
        }

        /** In amounts from the least on, in steps where there are any. */
        record Range(Quantity fallback, Quantity min, Optional<Quantity> max, Optional<Quantity> step) implements Rule {
            public Range {
                if (step.isPresent() && step.get().compareTo(Quantity.ZERO) <= 0) {
                    throw new IllegalArgumentException("a step is more than nothing, not: " + step.get());
                }
            }
        }
    }
}
