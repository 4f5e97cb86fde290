package dev.berth.core;

import java.util.List;

/** A typed fact about a device, such as its model, its NUMA node or its driver's version. */
public sealed interface Attribute {
    record Text(String value) implements Attribute {}

    record Whole(long value) implements Attribute {}

    record Flag(boolean value) implements Attribute {}

    /** A semantic version, kept as written. */
    record Version(String value) implements Attribute {}

    record Amount(Quantity value) implements Attribute {}

    /** The value as people write it. */
    default String text() {
        return switch (this) {
            case Text(var value) -> value;
            case Whole(long value) -> Long.toString(value);
            case Flag(boolean value) -> Boolean.toString(value);
            case Version(var value) -> value;
            case Amount(var value) -> value.toString();
            case Many(var values) ->
                values.stream().map(Attribute::text).toList().toString();
        };
    }

    /** Several values of one type. */
    record Many(List<Attribute> values) implements Attribute {
        public Many {
            values = List.copyOf(values);
        }
    }
}
