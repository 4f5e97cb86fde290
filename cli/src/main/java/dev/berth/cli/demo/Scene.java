package dev.berth.cli.demo;

import java.time.Duration;

/** Something that happens in the day. */
sealed interface Scene {
    /** Through which door a pod comes. */
    enum Way {
        PLAIN,
        ASSIGNER,
        EXTENDER,
        ADVISOR,
        CLAIMS
    }

    /**
     * Somebody submits a pod.
     *
     * @param amount how many GPUs; for the extender how many hundredths of one
     * @param model which one, in lower case; empty where the door does not ask
     * @param runs how long it takes, in the day's time
     */
    record Arrival(String name, Way way, int amount, String model, Duration runs) implements Scene {}

    record NodeFails(String node) implements Scene {}

    record NodeReturns(String node) implements Scene {}

    record Drain(String node) implements Scene {}

    record Reopen(String node) implements Scene {}

    /** From now on the namespace may hold so many GPUs of each model through the extender; none for no limit. */
    record Quota(int gpus) implements Scene {
        static final Quota LIFTED = new Quota(-1);

        boolean lifted() {
            return gpus < 0;
        }
    }
}
