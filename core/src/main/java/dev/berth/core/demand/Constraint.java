package dev.berth.core.demand;

import java.util.Set;

/** What must hold between the devices of several asks. */
public sealed interface Constraint {
    /** The asks it speaks of: {@code ask} or {@code ask/choice}; all of them when empty. */
    Set<String> asks();

    /** All devices have the same value of this attribute; of a list, they have a value in common. */
    record Same(String attribute, Set<String> asks) implements Constraint {
        public Same {
            asks = Set.copyOf(asks);
        }
    }

    /** No two devices have the same value of this attribute. */
    record Distinct(String attribute, Set<String> asks) implements Constraint {
        public Distinct {
            asks = Set.copyOf(asks);
        }
    }

    /** All devices sit in the node itself, none on the network. */
    record SameNode(Set<String> asks) implements Constraint {
        public SameNode {
            asks = Set.copyOf(asks);
        }
    }

    /** No device that can be held by one alone serves two of these asks, even if one of them only looks after it. */
    record Apart(Set<String> asks) implements Constraint {
        public Apart {
            asks = Set.copyOf(asks);
        }
    }

    /** These asks get no more devices than that together. */
    record AtMost(int devices, Set<String> asks) implements Constraint {
        public AtMost {
            asks = Set.copyOf(asks);
        }
    }

    static Constraint same(String attribute, String... asks) {
        return new Same(attribute, Set.of(asks));
    }

    static Constraint distinct(String attribute, String... asks) {
        return new Distinct(attribute, Set.of(asks));
    }

    default boolean concerns(Ask ask, Choice choice) {
        return asks().isEmpty() || asks().contains(ask.name()) || asks().contains(ask.name() + "/" + choice.name());
    }
}
