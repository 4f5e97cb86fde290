package dev.berth.claims.dra.demand;

/** Why a claim cannot be asked for at all, wherever its pod would run. */
public final class UnusableClaimException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnusableClaimException(String message) {
        super(message);
    }
}
