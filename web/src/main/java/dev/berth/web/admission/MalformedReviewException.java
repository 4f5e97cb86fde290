package dev.berth.web.admission;

import java.util.Optional;

/**
 * A body that is not an AdmissionReview we can answer; carries what could be made out, for doors that answer anyway.
 */
public final class MalformedReviewException extends RuntimeException {
    private final Optional<String> kind;
    private final Optional<String> uid;
    private final Body body;

    /** What came instead of a review. */
    private enum Body {
        NOTHING,
        RUBBISH,
        JSON
    }

    MalformedReviewException(String message, Optional<String> kind, Optional<String> uid) {
        this(message, kind, uid, Body.JSON);
    }

    private MalformedReviewException(String message, Optional<String> kind, Optional<String> uid, Body body) {
        super(message, null, false, false);
        this.kind = kind;
        this.uid = uid;
        this.body = body;
    }

    static MalformedReviewException notJson(String message) {
        return new MalformedReviewException(message, Optional.empty(), Optional.empty(), Body.RUBBISH);
    }

    static MalformedReviewException nothing() {
        return new MalformedReviewException("the body is empty", Optional.empty(), Optional.empty(), Body.NOTHING);
    }

    /** Whether it is JSON, or nothing at all, rather than rubbish. */
    public boolean isJson() {
        return body != Body.RUBBISH;
    }

    /** Whether nothing was sent at all. */
    public boolean isEmpty() {
        return body == Body.NOTHING;
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
