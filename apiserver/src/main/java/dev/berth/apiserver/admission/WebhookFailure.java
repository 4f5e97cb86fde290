package dev.berth.apiserver.admission;

/** A webhook could not be asked, or answered nonsense: the one thing that {@code failurePolicy: Ignore} covers. */
final class WebhookFailure extends RuntimeException {
    WebhookFailure(String message) {
        super(message, null, false, false);
    }
}
