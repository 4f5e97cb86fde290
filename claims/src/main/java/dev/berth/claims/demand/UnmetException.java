package dev.berth.claims.demand;

/** Why a pod's claims cannot be asked for at all: something that they name is not there, or not usable. */
public final class UnmetException extends Exception {
    private static final long serialVersionUID = 1L;

    UnmetException(String message) {
        super(message);
    }
}
