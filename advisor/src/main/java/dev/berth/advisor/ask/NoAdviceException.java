package dev.berth.advisor.ask;

/** The agent is away, slow or wrong. The job goes on without advice. */
public final class NoAdviceException extends Exception {
    private static final long serialVersionUID = 1;

    /** Why there is none: a word for metrics. */
    public enum Cause {
        UNREACHABLE,
        TIMEOUT,
        REFUSED,
        INVALID
    }

    private final Cause why;

    public NoAdviceException(Cause why, String message) {
        // Nobody reads the stack, and in an outage there are many.
        super(message, null, false, false);
        this.why = why;
    }

    public Cause why() {
        return why;
    }

    /** What happened, in a sentence. */
    public String words() {
        return String.valueOf(getMessage());
    }
}
