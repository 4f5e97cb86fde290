package dev.berth.claims.api;

import dev.berth.claims.manifest.Fields;
import dev.berth.core.Quantity;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Counts and amounts as the kinds spell them. */
final class Numbers {
    private Numbers() {}

    static OptionalInt count(Fields fields, String... spellings) {
        return fields.find(spellings)
                .map(field -> OptionalInt.of(field.count()))
                .orElse(OptionalInt.empty());
    }

    /** Amounts by name; a negative one has no meaning. */
    static Map<String, Quantity> amounts(Fields fields, String... spellings) {
        Map<String, Quantity> amounts = new TreeMap<>();
        fields.find(spellings)
                .ifPresent(field -> field.entries().forEach((name, value) -> {
                    if (value.quantity().compareTo(Quantity.ZERO) < 0) {
                        throw value.problem("must not be negative");
                    }
                    amounts.put(name, value.quantity());
                }));
        return amounts;
    }
}
