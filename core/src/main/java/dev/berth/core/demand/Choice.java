package dev.berth.core.demand;

import java.util.List;

/**
 * One way to meet an ask.
 *
 * @param name empty where the ask has no alternatives
 * @param admin looks after devices without holding them: it gets them whoever has them, and leaves them as free
 */
public record Choice(String name, Filter filter, Count count, Draw draw, List<Toleration> tolerations, boolean admin) {
    public Choice {
        tolerations = List.copyOf(tolerations);
    }

    public static Choice of(Filter filter, int count) {
        return new Choice("", filter, new Count.Exactly(count), Draw.WHOLE, List.of(), false);
    }

    public static Choice of(Filter filter, Count count) {
        return new Choice("", filter, count, Draw.WHOLE, List.of(), false);
    }

    public Choice named(String other) {
        return new Choice(other, filter, count, draw, tolerations, admin);
    }

    public Choice drawing(Draw other) {
        return new Choice(name, filter, count, other, tolerations, admin);
    }

    public Choice tolerating(List<Toleration> others) {
        return new Choice(name, filter, count, draw, others, admin);
    }

    public Choice asAdmin() {
        return new Choice(name, filter, count, draw, tolerations, true);
    }
}
