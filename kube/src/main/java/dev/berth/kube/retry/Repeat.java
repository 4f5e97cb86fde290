package dev.berth.kube.retry;

/** What a caller declares safe to do again. */
public enum Repeat {
    /** Only what surely was not done: for a create with a generated name. */
    IF_NOT_DONE,
    /** Also what was perhaps done: for reads, and for writes whose second run changes nothing or is found out. */
    IF_UNKNOWN,
    /** Also after a conflict: for an action that reads afresh each time before it writes. */
    IF_CONFLICT;

    boolean covers(Failure failure) {
        return switch (failure) {
            case ABSENT, REFUSED -> false;
            case TURNED_AWAY, UNREACHABLE -> true;
            case UNKNOWN -> this != IF_NOT_DONE;
            case CONFLICT -> this == IF_CONFLICT;
        };
    }
}
