package dev.berth.core.allocate;

/** Ends a search whose time is over; nobody reads its stack. */
final class OutOfTime extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutOfTime() {
        super("the search ran out of time", null, false, false);
    }
}
