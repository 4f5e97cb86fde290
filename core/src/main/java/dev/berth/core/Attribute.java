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

    /** Several values of one type. */
    record Many(List<Attribute> values) implements Attribute {
        public Many {
            values = List.copyOf(values);
        }
    }
}
