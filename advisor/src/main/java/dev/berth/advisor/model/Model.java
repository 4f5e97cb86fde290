package dev.berth.advisor.model;

/** Learns from runs and advises. Not for several threads at once: its owner takes turns. */
public interface Model {
    String name();

    /** What to do with the job; counts as a decision. */
    Advice advise(Question question);

    void observe(Observation observation);
}
