package dev.berth.simulator;

import dev.berth.core.policy.Policy.Rank;

/** What a policy said of each state for one kind of pod, and of which version of it. */
final class Ranks {
    private final double[] major;
    private final double[] minor;
    private final int[] version;

    Ranks(int states) {
        this.major = new double[states];
        this.minor = new double[states];
        this.version = new int[states];
    }

    boolean current(int state, int newest) {
        return version[state] == newest;
    }

    void keep(int state, int newest, Rank rank) {
        version[state] = newest;
        major[state] = rank.major();
        minor[state] = rank.minor();
    }

    /** There is no room. */
    void refuse(int state, int newest) {
        version[state] = newest;
        major[state] = Double.POSITIVE_INFINITY;
    }

    /** Whether there is room in the first, and it is better than the second, or there is no second (-1). */
    boolean before(int state, int other) {
        if (other < 0) {
            return major[state] < Double.POSITIVE_INFINITY;
        }
        return major[state] < major[other] || (major[state] == major[other] && minor[state] < minor[other]);
    }

    boolean equal(int state, int other) {
        return other >= 0 && major[state] == major[other] && minor[state] == minor[other];
    }
}
