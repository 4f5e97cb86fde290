package dev.berth.claims.cel;

/** Constraints that are not CEL, or do not say yes or no. */
public final class InvalidExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidExpressionException(String expression, String what, Throwable cause) {
        super("the constraints %s cannot be used: %s".formatted(expression, what), cause);
    }
}
