package dev.berth.claims.convert;

/** Something that {@code resource.k8s.io/v1} cannot say. */
final class NoWordException extends Exception {
    private static final long serialVersionUID = 1L;

    NoWordException(String message) {
        super(message);
    }
}
