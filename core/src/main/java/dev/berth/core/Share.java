package dev.berth.core;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much of a device is held. */
public sealed interface Share {
    Share WHOLE = new Whole();

    /** All of it: nobody else can hold any. */
    record Whole() implements Share {}

    /** A part of it: so much of each of these capacities, or a place beside others where none is measured. */
    record Part(SortedMap<String, Quantity> amounts) implements Share {
        public Part(Map<String, Quantity> amounts) {
            this(new TreeMap<>(amounts));
        }

        public Part {
            amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
        }
    }
}
