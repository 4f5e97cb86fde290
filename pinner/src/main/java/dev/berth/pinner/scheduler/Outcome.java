package dev.berth.pinner.scheduler;

/** How one attempt to place a pod ended. */
sealed interface Outcome {
    /** It is bound where the map says. */
    record Placed() implements Outcome {}

    /**
     * It cannot go there now.
     *
     * @param code what kind of reason, for metrics
     */
    record Refused(String note, String code) implements Outcome {}

    /** Something did not work that may work later. */
    record Failed(String why) implements Outcome {}

    /** It wants no node any more: it has one, or it is gone. */
    record NotWanted() implements Outcome {}
}
