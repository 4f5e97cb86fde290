package dev.berth.web;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An answer with its body, or none: a request's own time-out ends with the headers, and a body may trickle for ever.
 */
public final class WholeAnswer {
    private WholeAnswer() {}

    /**
     * Asks once.
     *
     * @param within from now to the last byte
     * @param most bytes of a body that are taken
     * @throws HttpTimeoutException if it takes longer
     */
    public static HttpResponse<String> of(HttpClient client, HttpRequest request, Duration within, long most)
            throws IOException, InterruptedException {
        var answer = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), most));
        try {
            return answer.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException slow) {
            throw new HttpTimeoutException(
                    "no whole answer from %s within %s".formatted(request.uri(), Durations.text(within)));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause
                    ? cause
                    : new IOException(String.valueOf(failed.getCause()), failed);
        } finally {
            // Nothing happens to one that is there; of another the connection is closed.
            answer.cancel(true);
        }
    }
}
