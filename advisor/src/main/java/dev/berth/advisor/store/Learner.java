package dev.berth.advisor.store;

import dev.berth.advisor.model.Ema.Changes;
import dev.berth.advisor.model.Observation;

/** Who learns from a store: told of everything in the order in which it was written. */
public interface Learner {
    /** Forgets everything and begins with this. */
    void begin(Known known);

    /** An observation that another replica wrote. */
    void hear(Observation observation);

    /** What would follow from an observation; it is taken up only when it is written. */
    Changes consequences(Observation observation);
}
