package dev.berth.core.demand;

import dev.berth.core.Quantity;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much of each device a choice takes. */
public sealed interface Draw {
    Draw WHOLE = new Whole();

    /** All of it, of a device that nobody holds any of. */
    record Whole() implements Draw {}

    /**
     * At least so much of each of these: a part of a shareable device, rounded as its capacities say, and the whole of
     * one that is not. Of capacities that are not named, a shareable device gives what its rule says.
     */
    record AtLeast(SortedMap<String, Quantity> amounts) implements Draw {
        public AtLeast(Map<String, Quantity> amounts) {
            this(new TreeMap<>(amounts));
        }

        public AtLeast {
            amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
        }
    }
}
