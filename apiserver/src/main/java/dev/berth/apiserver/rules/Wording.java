package dev.berth.apiserver.rules;

/** Sentences of the real server that several kinds share. */
final class Wording {
    static final String NOT_NEGATIVE = "must be greater than or equal to 0";
    static final String POSITIVE = "must be greater than 0";
    static final String PORT = "must be between 1 and 65535, inclusive";

    private Wording() {}
}
