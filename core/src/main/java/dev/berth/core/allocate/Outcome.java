package dev.berth.core.allocate;

import java.util.List;

/** What a search on one node found. */
sealed interface Outcome {
    Outcome NONE = new None();

    /** The picks, and for each ask which of its choices was taken. */
    record Found(List<Pick> picks, List<Integer> ranks) implements Outcome {
        public Found {
            picks = List.copyOf(picks);
            ranks = List.copyOf(ranks);
        }

        boolean firstChoices() {
            return ranks.stream().allMatch(rank -> rank == 0);
        }
    }

    /** There is no answer. */
    record None() implements Outcome {}
}
