package dev.berth.advisor.model;

import java.util.List;

/** Learns from runs and advises. Not for several threads at once: its owner takes turns. */
public interface Model {
    String name();

    /** What to do with the job; counts as a decision. */
    Advice advise(Question question);

    void observe(Observation observation);

    /** What it believes of every pair that it has seen, in the order of their names; none where it keeps nothing. */
    default List<Belief> beliefs() {
        return List.of();
    }
}
