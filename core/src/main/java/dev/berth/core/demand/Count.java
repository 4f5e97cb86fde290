package dev.berth.core.demand;

import dev.berth.core.Quantity;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How many devices a choice takes. */
public sealed interface Count {
    Count ALL = new All();

    /** The fewest devices that this can mean. */
    int least();

    record Exactly(int devices) implements Count {
        public Exactly {
            if (devices < 1) {
                throw new IllegalArgumentException("an ask is for at least one device, not for " + devices);
            }
        }

        @Override
        public int least() {
            return devices;
        }
    }

    /** As few as will do, and together at least so much of these capacities. */
    record Together(int least, int most, SortedMap<String, Quantity> amounts) implements Count {
        public Together {
            if (least < 1 || most < least) {
                throw new IllegalArgumentException("from %d to %d devices is no range".formatted(least, most));
            }
            amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
        }
    }

    /** Every device that suits, and at least one. */
    record All() implements Count {
        @Override
        public int least() {
            return 1;
        }
    }
}
