package dev.berth.core.demand;

import java.util.List;

/** One part of a demand: one of these choices, the earlier the better. */
public record Ask(String name, List<Choice> choices) {
    public Ask {
        choices = List.copyOf(choices);
        if (choices.isEmpty()) {
            throw new IllegalArgumentException("the ask '%s' has no choice".formatted(name));
        }
    }

    /** An ask without alternatives. */
    public static Ask of(String name, Choice only) {
        return new Ask(name, List.of(only));
    }

    /** So many whole devices that suit. */
    public static Ask of(String name, int count, Filter filter) {
        return of(name, Choice.of(filter, count));
    }
}
