package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.demand.Constraint;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the devices taken so far mean for each constraint: the values in common, or the values already used. */
final class Bindings {
    private final Question question;
    private final Suitability suitability;
    private final List<Set<Attribute>> bound = new ArrayList<>();
    private BitSet begun = new BitSet();
    private int[] counts;
    private final int constraints;

    Bindings(Question question, Suitability suitability) {
        this.question = question;
        this.suitability = suitability;
        question.constraints().forEach(constraint -> bound.add(Set.of()));
        constraints = question.constraints().size();
        counts = new int[constraints];
    }

    /** How things were before a device, to be undone. */
    static final class Mark {
        private final List<Set<Attribute>> bound;
        private final BitSet begun;
        private final int[] counts;

        private Mark(List<Set<Attribute>> bound, BitSet begun, int[] counts) {
            this.bound = bound;
            this.begun = begun;
            this.counts = counts;
        }
    }

    boolean admits(int choice, int slot) {
        for (int index = 0; index < constraints; index++) {
            if (question.concerns(index, choice)
                    && !admits(index, question.constraints().get(index), slot)) {
                return false;
            }
        }
        return true;
    }

    private boolean admits(int index, Constraint constraint, int slot) {
        var values = suitability.values(index, slot);
        return switch (constraint) {
            case Constraint.SameNode _ -> true; // a matter of the device alone
            case Constraint.Same _ -> !values.isEmpty() && (!begun.get(index) || overlap(values, bound.get(index)));
            case Constraint.Distinct _ -> !values.isEmpty() && !overlap(values, bound.get(index));
            case Constraint.Apart _ -> !overlap(values, bound.get(index));
            case Constraint.AtMost(int devices, Set<String> _) -> counts[index] < devices;
        };
    }

    private static boolean overlap(Set<Attribute> one, Set<Attribute> other) {
        for (var value : one) {
            if (other.contains(value)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a device of this choice would bind a constraint that nothing has bound yet. */
    boolean wouldBind(int choice) {
        for (int index = 0; index < constraints; index++) {
            if (!begun.get(index)
                    && question.concerns(index, choice)
                    && question.constraints().get(index) instanceof Constraint.Same) {
                return true;
            }
        }
        return false;
    }

    Mark bind(int choice, int slot) {
        var mark = new Mark(List.copyOf(bound), (BitSet) begun.clone(), counts.clone());
        for (int index = 0; index < constraints; index++) {
            if (question.concerns(index, choice)) {
                bound.set(index, next(index, suitability.values(index, slot)));
                begun.set(index);
                counts[index]++;
            }
        }
        return mark;
    }

    private Set<Attribute> next(int index, Set<Attribute> values) {
        var all = new HashSet<>(bound.get(index));
        var constraint = question.constraints().get(index);
        if (constraint instanceof Constraint.Distinct || constraint instanceof Constraint.Apart) {
            all.addAll(values);
            return Set.copyOf(all);
        }
        if (!begun.get(index)) {
            return values;
        }
        all.retainAll(values);
        return Set.copyOf(all);
    }

    void undo(Mark mark) {
        for (int index = 0; index < constraints; index++) {
            bound.set(index, mark.bound.get(index));
        }
        begun = mark.begun;
        counts = mark.counts;
    }

    /** How many devices the asks of a constraint have so far. */
    int count(int constraint) {
        return counts[constraint];
    }

    /** Equal for two moments at which the constraints allow the same. */
    List<Object> state() {
        var state = new ArrayList<>();
        for (int index = 0; index < constraints; index++) {
            state.add(begun.get(index));
            state.add(bound.get(index));
            if (question.constraints().get(index) instanceof Constraint.AtMost) {
                state.add(counts[index]);
            }
        }
        return state;
    }
}
