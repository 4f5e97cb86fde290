package dev.berth.advisor.ask;

import dev.berth.advisor.ask.NoAdviceException.Cause;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The agent elsewhere: one try a question, over connections that are kept. */
public final class HttpScorer implements Scorer {
    private static final int LONGEST_REPLY = 1 << 20;
    private static final int LONGEST_DETAIL = 200;
    private static final int OK = 200;
    private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(2);

    private final URI score;
    private final URI health;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;

    public HttpScorer(URI agent) {
        var address = new AgentAddress(agent);
        score = address.at("/v1/score");
        health = address.at("/healthz");
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor)
                .build();
    }

    @Override
    public Recommendation score(Job job, Duration within) throws NoAdviceException {
        var request = HttpRequest.newBuilder(score)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(job.json()))
                .build();
        var response = send(request, within);
        if (response.statusCode() != OK) {
            throw new NoAdviceException(
                    Cause.REFUSED, "%s answered %d: %s".formatted(score, response.statusCode(), detail(response)));
        }
        try {
            return Recommendation.read(response.body());
        } catch (NoAdviceException invalid) {
            throw new NoAdviceException(
                    Cause.INVALID, "%s answered what is no advice: %s".formatted(score, invalid.words()));
        }
    }

    /** A request's own time-out ends with the headers; a body that trickles in must end, too. */
    private HttpResponse<byte[]> send(HttpRequest request, Duration within) throws NoAdviceException {
        var answer = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), LONGEST_REPLY));
        try {
            return answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            answer.cancel(true);
            throw new NoAdviceException(
                    Cause.TIMEOUT, "%s did not answer within %d ms".formatted(request.uri(), within.toMillis()));
        } catch (ExecutionException failed) {
            throw new NoAdviceException(
                    failed.getCause() instanceof HttpTimeoutException ? Cause.TIMEOUT : Cause.UNREACHABLE,
                    "%s cannot be reached: %s".formatted(request.uri(), words(failed)));
        } catch (InterruptedException interrupted) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new NoAdviceException(Cause.UNREACHABLE, "the webhook is stopping");
        }
    }

    private static String words(ExecutionException failed) {
        var cause = failed.getCause();
        if (cause == null) {
            return "failed";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private static String detail(HttpResponse<byte[]> response) {
        var text = new String(response.body(), StandardCharsets.UTF_8).strip();
        return text.length() <= LONGEST_DETAIL ? text : text.substring(0, LONGEST_DETAIL) + "…";
    }

    @Override
    public boolean connected() {
        try {
            return send(HttpRequest.newBuilder(health).GET().build(), HEALTH_PATIENCE)
                            .statusCode()
                    == OK;
        } catch (NoAdviceException away) {
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
