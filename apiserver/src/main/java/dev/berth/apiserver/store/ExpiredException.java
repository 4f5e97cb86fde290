package dev.berth.apiserver.store;

/** The history that was asked for is no longer kept. */
public final class ExpiredException extends Exception {
    private final long oldest;

    ExpiredException(long oldest) {
        super("history starts at " + oldest, null, false, false);
        this.oldest = oldest;
    }

    /** The oldest revision from which the history is whole. */
    public long oldest() {
        return oldest;
    }
}
