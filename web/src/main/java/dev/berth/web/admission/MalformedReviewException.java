package dev.berth.web.admission;

import java.util.Optional;

/**
 * A body that is not an AdmissionReview we can answer; carries what could be made out, for doors that answer anyway.
 */
public final class MalformedReviewException extends RuntimeException {
    private final Optional<String> kind;
    private final Optional<String> uid;

    MalformedReviewException(String message, Optional<String> kind, Optional<String> uid) {
        super(message, null, false, false);
        this.kind = kind;
        this.uid = uid;
    }

    /** What the body calls itself. */
    public Optional<String> kind() {
        return kind;
    }

    /** The request's uid, if it has one. */
    public Optional<String> uid() {
        return uid;
    }

    /** What is wrong, in a sentence. */
    public String problem() {
        return String.valueOf(getMessage());
    }
}
