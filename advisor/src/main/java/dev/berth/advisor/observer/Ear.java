package dev.berth.advisor.observer;

import dev.berth.advisor.model.Observation;

/** Who learns from what was observed. */
public interface Ear {
    /** What became of an observation. */
    enum Reception {
        /** It is kept; a crash does not undo it. */
        TAKEN,
        /** Not now: tell it again. */
        LATER,
        /** Never: it is wrong. */
        REFUSED
    }

    Reception tell(Observation observation);
}
