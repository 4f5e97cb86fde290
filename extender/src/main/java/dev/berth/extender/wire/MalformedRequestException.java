package dev.berth.extender.wire;

/** A request that makes no sense; the message tells the sender what is wrong. */
public final class MalformedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MalformedRequestException(String message) {
        super(message);
    }

    /** What is wrong. */
    public String problem() {
        return String.valueOf(getMessage());
    }
}
