package dev.berth.claims.dra.cel;

/**
 * An evaluation has cost more than it may. An error and no exception: {@code ||}, {@code &&} and loops go on after an
 * exception, and this one must end them all.
 */
final class CostLimitError extends Error {
    /** As Kubernetes says it. */
    static final String WORDS = "operation cancelled: actual cost limit exceeded";

    private static final long serialVersionUID = 1L;

    CostLimitError(long limit) {
        super("%s (%d)".formatted(WORDS, limit), null, false, false);
    }
}
