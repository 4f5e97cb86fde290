package dev.berth.claims.dra.cel;

/** A selector that is not CEL, or does not say yes or no. */
public final class InvalidSelectorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidSelectorException(String expression, String what, Throwable cause) {
        super("CEL compile error: %s: %s".formatted(expression, what), cause);
    }
}
